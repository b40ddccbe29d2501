// L8: lanes call in some turns and not in others, wait, and call several times in a row, all at
// random.
struct Frame { chance: u32, iteration: u32, iterations: u32, burst: u32, count: u32 }
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

fn random() -> u32 {
  frame.chance ^= frame.chance << 13u;
  frame.chance ^= frame.chance >> 17u;
  frame.chance ^= frame.chance << 5u;
  return frame.chance;
}

fn step_0() {
  frame.chance = 0x9e3779b9u ^ (wave_index * LANE_COUNT + lane_index + 1u);
  frame.iterations = 128u + random() % 128u;
}

fn step_1() {
  if frame.iteration == frame.iterations { go(4u); return; }
  frame.iteration++;
  if random() % 127u == 0u { delay(random() % 4096u); }
  frame.burst = random() % 2u;
  if random() % 64u == 0u { frame.burst = 2u + random() % 7u; }
}

fn step_2() {
  if frame.burst == 0u { go(1u); return; }
  frame.burst--;
  packet_set(0u, frame.count);
  call(INCREMENT);
}

fn step_3() {
  frame.count = reply(0u);
  go(2u);
}

fn step_4() { results[wave_index * LANE_COUNT + lane_index] = frame.count * 1000u + frame.iterations; }

fn delay(steps: u32) {
  var sum = frame.chance;
  for (var step = 0u; step < steps; step++) { sum = sum * 3u + step; }
  // Almost never true, which no compiler can know: so it has to keep the loop.
  if sum == 0x12345u { frame.iterations = 0u; }
}
