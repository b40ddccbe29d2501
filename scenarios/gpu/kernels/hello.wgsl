// Every lane of every wave prints through the host's standard output.
fn step_0() {
  put("Hello world! I am lane ");
  put_u32(lane_index);
  put(" of wave ");
  put_u32(wave_index);
  put("\n");
  print();
}
