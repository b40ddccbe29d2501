// L4: sends (s) and receives (r) in the order s s r s r s s r r, then s or r, by one lane of each
// wave.
struct Frame { counter: u32, ends_with_send: u32 }
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

fn give() {
  frame.counter++;
  packet_set(0u, frame.counter);
  send();
}

fn take() { frame.counter = reply(0u); }

fn step_0() {
  if lane_index != 0u { finish(); return; }
  frame.ends_with_send = wave_index % 2u;
  packet_set(0u, frame.ends_with_send);
  begin(INTERFACE);
}

fn step_1() { give(); }
fn step_2() { recv(); }
fn step_3() { take(); give(); }
fn step_4() { recv(); }
fn step_5() { take(); give(); }
fn step_6() { give(); }
fn step_7() { recv(); }
fn step_8() { take(); recv(); }
fn step_9() {
  take();
  if frame.ends_with_send == 1u { give(); } else { recv(); }
}
fn step_10() {
  if frame.ends_with_send == 0u { take(); }
  results[wave_index * LANE_COUNT] = frame.counter;
  close();
}
