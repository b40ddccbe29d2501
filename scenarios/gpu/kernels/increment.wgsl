// Every wave asks the host for the next number, without end: a synchronous call in each epoch.
struct Frame { value: u32 }

fn step_0() {
  packet_set(0u, frame.value);
  call(INCREMENT);
}

fn step_1() {
  // A wrong answer ends the wave. The scenario sees it: later epochs bring fewer packets.
  if reply(0u) == frame.value + 1u {
    frame.value = reply(0u);
    go(0u);
  }
}
