// Waves of several lanes: each is a workgroup. Sync: these barriers order the lanes of one workgroup,
// and are used for nothing else. Between workgroups live_port.wgsl uses checksums.

var<workgroup> broadcast: Broadcast;

fn group_barrier() { workgroupBarrier(); }

// Waits until the first lane has written and all lanes have read, so that it may write again.
fn group_broadcast() -> Broadcast { return workgroupUniformLoad(&broadcast); }
