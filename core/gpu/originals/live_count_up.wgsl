// L1 of the originals, live: lanes count up by calls until each has its own number.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

var<private> count: u32;

fn client_fill() -> bool {
  packet_set(0u, count);
  return count < 10u + 10u * lane_index;
}

fn client_use() { count = packet_get(0u); }

fn client_end() { results[lane_index] = count; }

fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }
