// A wave of INVOCATION_COUNT invocations, which work on the lanes of a call side by side, each on every so many
// lanes. The first one finds the call, and hands it back.

// For the first one: the next call; or NO_PORT, and in place of a mask why the wave has to leave, if it has to.
fn next_call(finds: bool) -> Call {
  var call = Call(NO_PORT, vec2u(0u, 0u), 0u, 0u);
  if finds {
    call.mask.x = obstacle();
    if call.mask.x == 0u {
      let port = claim_work();
      if port != NO_PORT { call = call_at(port); }
    }
  }
  return call;
}

@compute @workgroup_size(INVOCATION_COUNT)
fn portlab_serve(
  @builtin(workgroup_id) at: vec3u,
  @builtin(local_invocation_index) own: u32,
) {
  let index = at.x;
  if own == 0u { wave_begin(index); }
  var reason = END_CUT_OFF;
  loop {
    let call = told_call(next_call(own == 0u), own);
    if call.port == NO_PORT {
      if call.mask.x != 0u {
        reason = call.mask.x;
        break;
      }
    }
    let works = (call.port != NO_PORT) & (call.status == STATUS_OK);
    word_beyond = false;
    var lane = own;
    // It ends at its end: a software adapter runs others once more.
    loop {
      let half = select(call.mask.x, call.mask.y, lane >= 32u);
      if works & (((half >> (lane & 31u)) & 1u) == 1u) { lane_operate(call.port, lane, call.opcode); }
      lane += INVOCATION_COUNT;
      continuing { break if lane >= LANE_COUNT; }
    }
    let is_beyond = told_beyond(word_beyond, own);
    if own == 0u && call.port != NO_PORT { hand_back(call, is_beyond); }
  }
  if own == 0u { wave_end(index, reason); }
}
