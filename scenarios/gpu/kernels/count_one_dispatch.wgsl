// A wave counts up by calls to the workgroup that serves.
@group(1) @binding(0) var<storage, read_write> counts: array<u32>;

var<private> count: u32;

fn client_fill() -> bool {
  packet_set(0u, count);
  return count < dispatch.calls_per_wave;
}

fn client_use() { count = packet_get(0u); }

fn client_end() { counts[lane_index] = count; }

fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }
