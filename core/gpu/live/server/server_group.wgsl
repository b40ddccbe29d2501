// A wave of INVOCATION_COUNT invocations, which work on the lanes of a call side by side, each on every so many
// lanes. The first one finds the call, and hands it back.

// What the first one says: the port, or NO_PORT and a reason to leave; then what the call is.
var<workgroup> told: array<u32, 5>;
var<workgroup> told_beyond: atomic<u32>;

// For the first one: the next call, or why the wave has to leave; neither after a search in vain.
fn tell_next() {
  told[0] = NO_PORT;
  told[1] = obstacle();
  if told[1] != 0u { return; }
  let port = claim_work();
  if port == NO_PORT { return; }
  let call = call_at(port);
  told[0] = port;
  told[1] = call.mask.x;
  told[2] = call.mask.y;
  told[3] = call.opcode;
  told[4] = call.status;
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
    if own == 0u { tell_next(); }
    // Sync: live_spirv.ts lets the barrier order buffers, too: all see the packet that the first one found.
    workgroupBarrier();
    let call = Call(told[0], vec2u(told[1], told[2]), told[3], told[4]);
    if call.port == NO_PORT {
      if call.mask.x != 0u {
        reason = call.mask.x;
        break;
      }
    } else if call.status == STATUS_OK {
      word_beyond = false;
      for (var lane = own; lane < LANE_COUNT; lane += INVOCATION_COUNT) {
        let half = select(call.mask.x, call.mask.y, lane >= 32u);
        if ((half >> (lane & 31u)) & 1u) == 1u { lane_operate(call.port, lane, call.opcode); }
      }
      if word_beyond { atomicStore(&told_beyond, 1u); }
    }
    // Sync: what the first one gives back next is what all wrote; and all have read what it told.
    workgroupBarrier();
    if own == 0u && call.port != NO_PORT {
      hand_back(call, atomicExchange(&told_beyond, 0u) != 0u);
    }
  }
  if own == 0u { wave_end(index, reason); }
}
