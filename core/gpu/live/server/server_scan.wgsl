// Mirrors ScanFinder, of as many ports as a word of hints has: looking at hints would save nothing.

// Looks at LOOKS ports, all of them at least, from next_port on.
fn find_work(looks_at_all: bool) -> u32 {
  var index = next_port;
  var found = NO_PORT;
  var look = 0u;
  // It ends at its end: a software adapter runs others once more.
  loop {
    if looks_ready(index) { found = index; }
    index = select(index + 1u, 0u, index + 1u == PORT_COUNT);
    look++;
    continuing { break if (found != NO_PORT) | (look >= LOOKS); }
  }
  return found;
}
