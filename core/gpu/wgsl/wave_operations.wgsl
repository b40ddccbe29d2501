// What a wave does with the packet of its open port: the methods of ClientPort, each up to the point
// where it gives the packet away.

// Mirrors ClientPort.send(). Returns whether it gives the packet away.
fn wave_send(works: bool) -> bool {
  let sends = works & owns & is_next(OP_SEND);
  let is_part = sends & takes_part();
  let base = packet_word(wave.port - 1u, lane_index);
  let memory = memory_base();
  let words = select(0u, lane.sent_words, is_part);
  var word = 0u;
  loop {
    if word < words { payload[base + word * WORD_STRIDE] = lane_memory[memory + word]; }
    word++;
    continuing { break if word >= words; }
  }
  lane.sent_words -= words;
  wave_did(sends, OP_SEND);
  return sends;
}

// Mirrors ClientPort.recv(): a second receive in a row first gives the packet back, so that the server
// may fill it again. Returns whether it does so.
fn wave_recv(works: bool) -> bool {
  let recvs = works & owns & is_next(OP_RECV);
  let gives_back = USES_SESSIONS & recvs & wave_has_received();
  if USES_SESSIONS { wave.flags |= select(0u, FLAG_RECEIVED, recvs); }
  wave_did(recvs & !gives_back, OP_RECV);
  return gives_back;
}

fn wave_has_received() -> bool { return (wave.flags & FLAG_RECEIVED) != 0u; }
