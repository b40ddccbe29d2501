// A wave of several invocations, which work on the lanes of a call side by side, each on every so many lanes.

fn lanes_operate(call: Call, own: u32, works: bool) {
  var lane = own;
  // It ends at its end: a software adapter runs others once more.
  loop {
    let half = select(call.mask.x, call.mask.y, lane >= 32u);
    if works & (((half >> (lane & 31u)) & 1u) == 1u) { lane_operate(call.port, lane, call.opcode); }
    lane += INVOCATION_COUNT;
    continuing { break if lane >= LANE_COUNT; }
  }
}
