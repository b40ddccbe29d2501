// What the host asks of the GPU: each lane's first word, three times.
fn operate(opcode: u32) { packet_set(0u, 3u * packet_get(0u)); }
