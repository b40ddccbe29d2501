// A live wave is a workgroup. Sync: these order the lanes of one workgroup, which is all they are
// used for; between workgroups live_port.wgsl checks instead.

var<workgroup> told: Shared;

fn group_barrier() { workgroupBarrier(); }

// Waits for the first lane, and for everybody to have read: it may write again afterwards.
fn group_shared() -> Shared { return workgroupUniformLoad(&told); }
