// As server_workgroup.wgsl, of invocations that are one subgroup: without workgroup memory and its barriers,
// which a software adapter takes longer for than for the call.

fn told_call(call: Call, own: u32) -> Call {
  subgroupBarrier();
  return Call(
    subgroupBroadcastFirst(call.port),
    subgroupBroadcastFirst(call.mask),
    subgroupBroadcastFirst(call.opcode),
    subgroupBroadcastFirst(call.status),
  );
}

fn told_beyond(is_beyond: bool, own: u32) -> bool {
  let told = subgroupMax(select(0u, 1u, is_beyond));
  subgroupBarrier();
  return told != 0u;
}
