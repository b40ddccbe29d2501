// Values longer than a packet, as they are received: one packet of recvStream() at a time.

// Mirrors recvStream(). Returns whether it gives the packet back, for the server to fill it again.
fn wave_recv_stream() -> bool {
  if wave_has_received() { return true; }
  let head = select(0u, LENGTH_WORDS, wave.cursor == 0u);
  let base = packet_word(wave.port - 1u, lane_index);
  if head > 0u {
    wave.longest = stream_longest(wave.port - 1u);
    if takes_part() { lane_expect_stream(payload[base]); }
  }
  if takes_part() {
    let memory = memory_base() + LANE_WORDS + wave.cursor / 4u;
    let words = stream_words_left(head);
    for (var word = 0u; word < words; word++) {
      lane_memory[memory + word] = payload[base + (head + word) * WORD_STRIDE];
    }
  }
  wave.flags |= FLAG_RECEIVED;
  let is_last = stream_advance(head);
  wave_did(is_last, OP_RECV_STREAM);
  return !is_last;
}

// How many words of this lane's stream the packet has, after `head` words of length.
fn stream_words_left(head: u32) -> u32 {
  let left = max(lane.stream_bytes, wave.cursor) - wave.cursor;
  return min((left + 3u) / 4u, LANE_WORDS - head);
}

// Advances by a packet; returns whether it was the last.
fn stream_advance(head: u32) -> bool {
  wave.cursor += 4u * (LANE_WORDS - head);
  if wave.cursor < wave.longest { return false; }
  wave.cursor = 0u;
  return true;
}

fn lane_expect_stream(length: u32) {
  lane.stream_bytes = min(length, STREAM_BYTES);
  if length > STREAM_BYTES { lane.status = STATUS_LENGTH_REFUSED; }
}

fn stream_longest(index: u32) -> u32 {
  var longest = 0u;
  for (var other = 0u; other < LANE_COUNT; other++) {
    if in_mask(wave.mask, other) { longest = max(longest, payload[packet_word(index, other)]); }
  }
  return longest;
}
