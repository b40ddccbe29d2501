// Values longer than a packet. A stream that is sent leaves with one dispatch: its first packet on the
// port, the others in spares, packets behind those of the ports, from which the host goes on when the
// server asks for more. A stream that is received comes a packet a dispatch.

const NO_SPARE = 0xffffffffu;

// How many spares the longest of the wave's streams needs.
fn stream_spares() -> u32 {
  return (LENGTH_WORDS + (wave.longest + 3u) / 4u - 1u) / LANE_WORDS;
}

// For one lane: the first of the spares for what its wave sends next, 0 if that needs none.
fn stream_find_spares(port: u32) -> u32 {
  let count = stream_spares();
  if (count == 0u) | ((wave.pending & OP_SEND_STREAM) == 0u) { return 0u; }
  return stream_take_spares(port, count);
}

// Takes spares for a stream, and tells the host whose they are. The counter begins at 0 in each epoch; a
// stream that finds too few spares waits for the next.
fn stream_take_spares(port: u32, count: u32) -> u32 {
  if atomicLoad(&channel[REPORT_TAKEN_SPARES_WORD]) >= SPARE_COUNT { return NO_SPARE; }
  let spare = atomicAdd(&channel[REPORT_TAKEN_SPARES_WORD], count);
  if spare >= SPARE_COUNT { return NO_SPARE; }
  let fits = count <= SPARE_COUNT - spare;
  payload[SPARE_OWNERS_WORD - PAYLOAD_WORD + spare] = select(0u, (count << 16u) | port, fits);
  return select(NO_SPARE, spare, fits);
}

// Mirrors sendStream(). The first packet begins with the length.
fn wave_send_stream() {
  if takes_part() {
    let first = packet_word(wave.port - 1u, lane_index);
    payload[first] = lane.stream_bytes;
    payload[first + WORD_STRIDE] = 0u;
    let memory = memory_base() + LANE_WORDS + printf_own_words();
    let end = LENGTH_WORDS + (lane.stream_bytes + 3u) / 4u;
    for (var word = LENGTH_WORDS; word < end; word++) {
      let packet = word / LANE_WORDS;
      let index = select(PORT_COUNT + wave_spares + packet - 1u, wave.port - 1u, packet == 0u);
      let place = packet_word(index, lane_index) + (word % LANE_WORDS) * WORD_STRIDE;
      payload[place] = lane_memory[memory + word - LENGTH_WORDS];
    }
    lane.stream_bytes = 0u;
    printf_restore();
  }
  wave_did(true, OP_SEND_STREAM);
}

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
