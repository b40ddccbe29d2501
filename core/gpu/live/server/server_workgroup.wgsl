// How invocations of a workgroup tell each other of a call.

var<workgroup> told: array<u32, 5>;
var<workgroup> told_of_beyond: atomic<u32>;

// What the first one says. Sync: live_spirv.ts lets the barrier order buffers, too: all see the packet that
// the first one found.
fn told_call(call: Call, own: u32) -> Call {
  if own == 0u { told = array(call.port, call.mask.x, call.mask.y, call.opcode, call.status); }
  workgroupBarrier();
  return Call(told[0], vec2u(told[1], told[2]), told[3], told[4]);
}

// For the first one, whether any of them says so. Sync: what it gives back next is what all wrote; and all have
// read what it told.
fn told_beyond(is_beyond: bool, own: u32) -> bool {
  if is_beyond { atomicStore(&told_of_beyond, 1u); }
  workgroupBarrier();
  return own == 0u && atomicExchange(&told_of_beyond, 0u) != 0u;
}
