// L3, one dispatch: data does not cross lanes.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

var<private> repetition: u32;
var<private> sum: u32;

fn client_fill() -> bool {
  packet_set(0u, lane_index + repetition);
  return repetition < 50u;
}

fn client_use() {
  sum += packet_get(0u);
  repetition++;
}

fn client_end() { results[lane_index] = sum; }

fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }
