// Mirrors ScanFinder, of as many ports as a word of hints has: looking at hints would save nothing.

// Looks at LOOKS ports, all of them at least, from next_port on.
fn find_work(looks_at_all: bool) -> u32 {
  var index = next_port;
  for (var look = 0u; look < LOOKS; look++) {
    if looks_ready(index) { return index; }
    index = select(index + 1u, 0u, index + 1u == PORT_COUNT);
  }
  return NO_PORT;
}
