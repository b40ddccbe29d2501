// What the host asks of the GPU: three times the first word of each lane.
fn operate(opcode: u32) { packet_set(0u, 3u * packet_get(0u)); }
