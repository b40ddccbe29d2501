// L1 and L2, one dispatch: lanes count up by calls until each has its own number; then the odd
// lanes cast, and in the next round the even lanes. The wave of this dispatch does what
// `calls_per_wave` waves of the Worker's client do, one part after the other.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

var<private> part: u32;
// Rounds of this part so far.
var<private> rounds: u32;
var<private> count: u32;

fn goal_of(lane: u32) -> u32 {
  return 10u + 10u * ((part % 2u) * LANE_COUNT + lane) + 10u * (part / 2u);
}

// The round in which this lane casts, after the last lane has counted up: odd lanes in the first,
// even lanes in the next.
fn round_to_cast() -> u32 {
  return goal_of(LANE_COUNT - 1u) + select(1u, 0u, lane_index % 2u == 1u || LANE_COUNT == 1u);
}

fn client_fill() -> bool {
  if rounds == goal_of(LANE_COUNT - 1u) + min(LANE_COUNT, 2u) {
    results[part * LANE_COUNT + lane_index] = count;
    part++;
    rounds = 0u;
    count = 0u;
  }
  if part == dispatch.calls_per_wave { return false; }
  let casts = rounds == round_to_cast();
  let counts = count < goal_of(lane_index);
  rounds++;
  packet_set(0u, select(count, 2u - lane_index % 2u, casts));
  call(select(INCREMENT, OPCODE_NOOP, casts));
  if casts { no_reply(); }
  return casts || counts;
}

fn client_use() { count = packet_get(0u); }

fn client_end() {}

fn serve(opcode: u32) {
  if opcode == INCREMENT { packet_set(0u, packet_get(0u) + 1u); }
  // The sum of what the lane has cast, behind the results of all lanes.
  else { results[dispatch.calls_per_wave * LANE_COUNT + lane_index] += packet_get(0u); }
}
