// Mirrors HintFinder, without tidying: bits stay set once a port was used, and cost a look each.

// How many searches that find nothing lie between two looks at all ports: a hint may be lost.
const FULL_MASK = 255u;

// Looks at the ports with a hint, or at all of them, from next_port on.
fn find_work(looks_at_all: bool) -> u32 {
  let is_full = looks_at_all || (idle_count & FULL_MASK) == FULL_MASK;
  let first = next_port >> HINT_SHIFT;
  var place = first >> 5u;
  // The ports before next_port come last.
  var bits_from = 0xffffffffu << (first & 31u);
  for (var look = 0u; look < LOOKS; look++) {
    var bits = select(atomicLoad(&channel[HINT_WORD + place]), 0xffffffffu, is_full) & bits_from;
    bits_from = 0xffffffffu;
    while bits != 0u {
      let group = place * 32u + firstTrailingBit(bits);
      bits &= bits - 1u;
      let end = min((group + 1u) << HINT_SHIFT, PORT_COUNT);
      for (var index = group << HINT_SHIFT; index < end; index++) {
        if looks_ready(index) && (HINT_SHIFT == 0u || index >= next_port || look > 0u) { return index; }
      }
    }
    place = select(place + 1u, 0u, place + 1u == HINT_WORD_COUNT);
  }
  return NO_PORT;
}
