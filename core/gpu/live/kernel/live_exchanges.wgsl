// What a wave whose calls may have several packets does for its request.

// Carries out the pending operations, with the waits between them.
fn wave_operate() {
  if wave.port == 0u || (wave.pending & OP_ALL) == 0u { return; }
  while wave.port != 0u && (wave.pending & OP_ALL) != 0u {
    if !owns && !is_next(OP_CLOSE) { wave_await(); }
    if ending != 0u { return; }
    var gives = wave_send(true);
    if USES_STREAMS {
      if !gives & is_next(OP_SEND_STREAM) { gives = wave_send_stream(); }
    }
    gives |= wave_recv(!gives);
    if USES_STREAMS {
      if !gives & is_next(OP_RECV_STREAM) { gives = wave_recv_stream(); }
    }
    if gives { wave_give(); }
    if is_next(OP_CLOSE) && wave.port != 0u { wave_close(); }
  }
  if (wave.pending & OP_ALL) == 0u { wave_answered(); }
}

