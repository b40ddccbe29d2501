// As increment.wgsl, with CASTS_PER_EPOCH asynchronous calls before the synchronous one.
struct Frame { value: u32, casts: u32 }

fn step_0() {
  if frame.casts < CASTS_PER_EPOCH {
    frame.casts++;
    packet_set(0u, frame.value);
    cast_call(NOTE);
    go(0u);
  } else {
    packet_set(0u, frame.value);
    call(INCREMENT);
  }
}

fn step_1() {
  frame.casts = 0u;
  // A wrong answer ends the wave. The scenario sees it: later epochs bring fewer packets.
  if reply(0u) == frame.value + 1u {
    frame.value = reply(0u);
    go(0u);
  }
}
