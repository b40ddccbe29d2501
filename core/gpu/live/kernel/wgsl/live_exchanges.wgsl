// What a wave whose calls may have several packets does for its request. Streams have no spares, which lie
// behind a channel's memory: the wave waits between two packets anyway, for less than an epoch.

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

// Mirrors sendStream(), a packet at a time. The first packet begins with the length. Returns that it gives
// the packet away.
fn wave_send_stream() -> bool {
  let head = select(0u, LENGTH_WORDS, wave.cursor == 0u);
  if takes_part() {
    let base = packet_word(wave.port - 1u, lane_index);
    if head > 0u {
      payload[base] = lane.stream_bytes;
      payload[base + WORD_STRIDE] = 0u;
    }
    let memory = memory_base() + LANE_WORDS + printf_own_words() + wave.cursor / 4u;
    let words = stream_words_left(head);
    for (var word = 0u; word < words; word++) {
      payload[base + (head + word) * WORD_STRIDE] = lane_memory[memory + word];
    }
  }
  if stream_advance(head) {
    if takes_part() {
      lane.stream_bytes = 0u;
      printf_restore();
    }
    wave_did(true, OP_SEND_STREAM);
  }
  return true;
}
