// Waves of several lanes: each is a workgroup. Sync: these barriers only order the lanes of one
// workgroup. Between workgroups one_dispatch_port.wgsl uses checksums.

var<workgroup> broadcast: Broadcast;

fn group_barrier() { workgroupBarrier(); }

// Waits until the first lane has written and all lanes have read, so that it may write again.
fn group_broadcast() -> Broadcast { return workgroupUniformLoad(&broadcast); }

var<workgroup> shared_words: array<atomic<u32>, SHARED_COUNT>;

fn group_load(place: u32) -> u32 { return atomicLoad(&shared_words[place]); }

fn group_store(place: u32, value: u32) { atomicStore(&shared_words[place], value); }

fn group_or(place: u32, value: u32) { atomicOr(&shared_words[place], value); }

fn group_min(place: u32, value: u32) { atomicMin(&shared_words[place], value); }

fn group_exchange(place: u32, value: u32) -> u32 { return atomicExchange(&shared_words[place], value); }
