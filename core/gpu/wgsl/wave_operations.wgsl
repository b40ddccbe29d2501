// What a wave does on its open port: the methods of ClientPort, each up to the point where it would
// wait for the host.

// Carries out the pending operations, up to the first that has to wait for the host. At most one of
// them sends the packet, because it belongs to the server after that. `resumes` says that it runs at
// the beginning of a dispatch, before the steps: a kernel that only makes plain calls receives and
// closes there and sends later, so the rest is left out of each.
fn wave_operate(resumes: bool) {
  if blocked || wave.port == 0u { return; }
  gives = false;
  if USES_SESSIONS || !resumes { if owns && is_next(OP_SEND) { wave_send(); } }
  if USES_STREAMS { if owns && is_next(OP_SEND_STREAM) { wave_send_stream(); } }
  if USES_SESSIONS || resumes { if owns && is_next(OP_RECV) { wave_recv(); } }
  if USES_STREAMS { if owns && is_next(OP_RECV_STREAM) { wave_recv_stream(); } }
  if USES_SESSIONS || USES_STREAMS || !resumes { if gives { wave_give(); } }
  if USES_SESSIONS || USES_CASTS || resumes { if is_next(OP_CLOSE) { wave_close(); } }
  blocked = (wave.pending & OP_ALL) != 0u;
  if !blocked && takes_part() && lane.key >= KEY_ASKS && lane.key < KEY_WAITS {
    lane.key = lane.step;
    if BUFFERS_PRINTF { printf_done(); }
  }
}

fn wave_give() {
  if is_first_lane() {
    let continues = select(0u, CONTINUES, (wave.flags & FLAG_CONTINUES) != 0u);
    port_write_header(wave.port - 1u, wave.mask, (wave.pending & OPCODE_BITS) | continues);
    port_send(wave.port - 1u, epoch_params.epoch);
  }
  wave.flags = FLAG_CONTINUES | select(FLAG_SENT_VALUE, 0u, port_inbox(wave.port - 1u) == 1u);
  owns = false;
}

// Mirrors ClientPort.send().
fn wave_send() {
  if takes_part() {
    let base = packet_word(wave.port - 1u, lane_index);
    for (var word = 0u; word < lane.sent_words; word++) { payload[base + word * WORD_STRIDE] = sent[word]; }
    lane.sent_words = 0u;
  }
  wave_did(OP_SEND);
  gives = true;
  owns = false;
}

// Mirrors ClientPort.recv(): a second receive in a row first gives the packet back, so that the server
// may fill it again.
fn wave_recv() {
  if USES_SESSIONS && wave_acknowledges() { return; }
  reply_word = packet_word(wave.port - 1u, lane_index);
  wave.flags |= FLAG_RECEIVED;
  wave_did(OP_RECV);
}

fn wave_acknowledges() -> bool {
  if (wave.flags & FLAG_RECEIVED) == 0u { return false; }
  gives = true;
  owns = false;
  return true;
}

// Mirrors ClientPort.close(). A port whose packet is ours is kept for the wave's next call, unless
// other waves found none.
fn wave_close() {
  let keeps = owns && epoch_params.scarce == 0u;
  if is_first_lane() && !keeps { port_close(wave.port - 1u, epoch_params.epoch); }
  wave.kept_port = select(0u, wave.port, keeps);
  wave.port = 0u;
  wave_did(OP_CLOSE);
}
