// A wave of INVOCATION_COUNT invocations. The first one finds a call and hands it back; all work on its lanes.

@compute @workgroup_size(INVOCATION_COUNT)
fn portlab_serve(
  @builtin(workgroup_id) at: vec3u,
  @builtin(local_invocation_index) own: u32,
) {
  let index = at.x;
  var reason = 0u;
  if own == 0u { reason = select(END_DONE, 0u, wave_begin(index)); }
  loop {
    // What is rare stands before the loop of calls: it is run as often as the loop that has it.
    if (own == 0u) & (reason == 0u) { reason = settle(); }
    let ends = told_call(Call(NO_PORT, vec2u(0u, 0u), reason, STATUS_OK), own).opcode;
    _ = told_beyond(false, own);
    if ends != 0u { break; }
    loop {
      let call = told_call(next_call(own == 0u), own);
      word_beyond = false;
      lanes_operate(call, own, (call.port != NO_PORT) & (call.status == STATUS_OK));
      let is_beyond = told_beyond(word_beyond, own);
      if own == 0u { hand_back(call, is_beyond); }
      continuing { break if call.port == NO_PORT; }
    }
  }
  if (own == 0u) & (reason != END_DONE) { wave_end(index, reason); }
}
