// What a wave does on its open port: the methods of ClientPort, each up to the point where it would
// wait for the host.

// Carries out the pending operations, up to the first that has to wait for the host. At most one of
// them sends the packet, because it belongs to the server after that. `resumes` says that it runs at
// the beginning of a dispatch, before the steps: a kernel that only makes plain calls receives and
// closes there and sends later, so the rest is left out of each.
fn wave_operate(resumes: bool) {
  let works = !blocked & (wave.port != 0u);
  var gives = false;
  if USES_SESSIONS || !resumes { gives = wave_send(works); }
  if USES_STREAMS && !resumes {
    if works & owns & !gives & is_next(OP_SEND_STREAM) {
      wave_send_stream();
      gives = true;
    }
  }
  if USES_SESSIONS || resumes { gives |= wave_recv(works & !gives); }
  if USES_STREAMS {
    if works & owns & !gives & is_next(OP_RECV_STREAM) { gives = wave_recv_stream(); }
  }
  if USES_SESSIONS || USES_STREAMS || !resumes { wave_give(gives); }
  if USES_SESSIONS || USES_CASTS || resumes { wave_close(works); }
  blocked |= works & ((wave.pending & OP_ALL) != 0u);
  if USES_SESSIONS || USES_CASTS || resumes {
    if works & !blocked & takes_part() & (lane.key >= KEY_ASKS) & (lane.key < KEY_WAITS) {
      lane.key = lane.step;
      if BUFFERS_PRINTF { printf_done(); }
    }
  }
}

// Gives the packet to the server.
fn wave_give(gives: bool) {
  let index = max(wave.port, 1u) - 1u;
  if gives & is_first_lane() {
    var opcode = wave.pending & OPCODE_BITS;
    if USES_SESSIONS || USES_STREAMS {
      opcode |= select(0u, CONTINUES, (wave.flags & FLAG_CONTINUES) != 0u);
    }
    port_write_header(index, wave.mask, opcode);
  }
  let sent_value = select(FLAG_SENT_VALUE, 0u, port_inbox(index) == 1u);
  wave.flags = select(wave.flags, FLAG_CONTINUES | sent_value, gives);
  owns &= !gives;
  // A wave that waits does so at the end of the dispatch.
  if HAS_TURNS { if gives & is_first_lane() { wave_toggle(); } }
}

fn wave_toggle() { port_toggle(wave.port - 1u, wave_sent_value(), epoch_params.epoch); }

fn wave_sent_value() -> u32 { return select(0u, 1u, (wave.flags & FLAG_SENT_VALUE) != 0u); }

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

// Mirrors ClientPort.close(). A port whose packet is ours is kept for the wave's next call. The client
// never toggles here: it owns the packet, or the call was asynchronous and the port is free when the
// host has served it.
fn wave_close(works: bool) {
  let closes = works & is_next(OP_CLOSE);
  if USES_SESSIONS || USES_CASTS {
    if closes & !owns & is_first_lane() { port_unlock(wave.port - 1u, epoch_params.epoch); }
  }
  wave.kept_port = select(wave.kept_port, wave.port, closes & owns);
  wave.port = select(wave.port, 0u, closes);
  wave_did(closes, OP_CLOSE);
}
