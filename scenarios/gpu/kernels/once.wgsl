// Every wave calls once, so that most of the work is to find a port.
fn step_0() {
  packet_set(0u, wave_index);
  call(INCREMENT);
}
