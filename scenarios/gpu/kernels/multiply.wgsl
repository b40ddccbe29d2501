// What the host asks of the GPU: multiply each lane's first word by three.
fn operate(opcode: u32) { packet_set(0u, 3u * packet_get(0u)); }
