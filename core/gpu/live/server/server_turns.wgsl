// A wave of one invocation, which works on the lanes of a call in turn: no barrier, the quickest where barriers
// are dear, as on a software adapter.

fn told_call(call: Call, own: u32) -> Call { return call; }

fn told_beyond(is_beyond: bool, own: u32) -> bool { return is_beyond; }

fn lanes_operate(call: Call, own: u32, works: bool) {
  var rest = select(vec2u(0u, 0u), call.mask, works);
  // It ends at its end: a software adapter runs others once more.
  loop {
    let is_high = rest.x == 0u;
    let half = select(rest.x, rest.y, is_high);
    if half != 0u { lane_operate(call.port, firstTrailingBit(half) + select(0u, 32u, is_high), call.opcode); }
    if is_high { rest.y &= rest.y - 1u; } else { rest.x &= rest.x - 1u; }
    continuing { break if (rest.x | rest.y) == 0u; }
  }
}
