// What a wave whose calls have one packet does for its request. A file of its own, with no loop: a software
// adapter runs all that a loop contains as often as the loop.

// Carries out a call, or one without an answer; or the rest of one.
fn wave_operate() {
  if wave.port == 0u { return; }
  if owns {
    wave_send(true);
    wave_give();
  }
  if is_next(OP_RECV) { wave_await(); }
  if ending != 0u { return; }
  wave_recv(true);
  wave_close();
  wave_answered();
}
