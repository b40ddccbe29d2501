// The functions of live_group.wgsl for waves of one lane, without barriers: one costs a software
// adapter as much as dozens of other instructions.

var<private> broadcast: Broadcast;

fn group_barrier() {}

fn group_broadcast() -> Broadcast { return broadcast; }
