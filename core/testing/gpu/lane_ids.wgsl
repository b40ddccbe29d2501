// L3: data does not cross lanes.
struct Frame { repetition: u32, sum: u32 }
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

fn step_0() {
  packet_set(0u, lane_index + frame.repetition);
  call(INCREMENT);
}

fn step_1() {
  frame.sum += reply(0u);
  frame.repetition++;
  if frame.repetition < 50u { go(0u); }
}

fn step_2() { results[wave_index * LANE_COUNT + lane_index] = frame.sum; }
