// A wave of one invocation, which works on the lanes of a call in turn: no barrier, the quickest where barriers
// are dear, as on a software adapter.

@compute @workgroup_size(1)
fn portlab_serve(@builtin(workgroup_id) at: vec3u) {
  let index = at.x;
  wave_begin(index);
  // Some adapters leave a loop after a number of rounds, whatever its condition.
  var reason = END_CUT_OFF;
  loop {
    let ends = obstacle();
    if ends != 0u {
      reason = ends;
      break;
    }
    let port = claim_work();
    if port != NO_PORT {
      let call = call_at(port);
      var rest = select(call.mask, vec2u(0u, 0u), call.status != STATUS_OK);
      word_beyond = false;
      // It ends at its end: a software adapter runs others once more.
      loop {
        let is_high = rest.x == 0u;
        let half = select(rest.x, rest.y, is_high);
        if half != 0u { lane_operate(port, firstTrailingBit(half) + select(0u, 32u, is_high), call.opcode); }
        if is_high { rest.y &= rest.y - 1u; } else { rest.x &= rest.x - 1u; }
        continuing { break if (rest.x | rest.y) == 0u; }
      }
      hand_back(call, word_beyond);
    }
  }
  wave_end(index, reason);
}
