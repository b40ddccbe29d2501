// Every wave calls once, so that what is measured is how waves find and lock ports.
fn step_0() {
  packet_set(0u, wave_index);
  call(INCREMENT);
}
