// Every wave calls once: what is left is who gets a port, and when.
fn step_0() {
  packet_set(0u, wave_index);
  call(INCREMENT);
}
