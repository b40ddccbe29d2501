// L1 and L2: lanes count up by calls until each has its own number; then the odd lanes call
// asynchronously, and after them the even lanes.
struct Frame { count: u32, goal: u32 }
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

fn step_0() {
  let first_thread = (wave_index % 2u) * LANE_COUNT;
  frame.goal = 10u + 10u * (first_thread + lane_index) + 10u * (wave_index / 2u);
}

fn step_1() {
  if frame.count == frame.goal {
    go(3u);
  } else {
    packet_set(0u, frame.count);
    call(INCREMENT);
  }
}

fn step_2() {
  frame.count = reply(0u);
  go(1u);
}

fn step_3() {
  results[wave_index * LANE_COUNT + lane_index] = frame.count;
  packet_set(0u, 2u - lane_index % 2u);
  if lane_index % 2u == 1u { cast_call(OPCODE_NOOP); }
}

fn step_4() {
  if lane_index % 2u == 0u { cast_call(OPCODE_NOOP); }
}
