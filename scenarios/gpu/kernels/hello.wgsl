// Every lane of every wave prints through the host's standard output.
fn kernel() {
  printf("Hello world! I am lane %u of wave %u\n", lane_index, wave_index);
}
