// What a wave does with the packet of its open port: the methods of ClientPort, each up to the point
// where it gives the packet away.

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
  wave_take_reply();
  wave.flags |= FLAG_RECEIVED;
  wave_did(OP_RECV);
}

fn wave_acknowledges() -> bool {
  if (wave.flags & FLAG_RECEIVED) == 0u { return false; }
  gives = true;
  owns = false;
  return true;
}
