// L5 and L6, one dispatch: each lane sends a stream and gets it back, each byte plus one. In even
// parts all lanes send 251 bytes, in odd parts lanes need different numbers of packets. A lane's
// answer begins in the turn that brings the last packet of its stream; a lane that is done takes
// part until all lanes are.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

const STREAM_WORDS_MAX = 64u;

// Sessions begun; the client's.
var<private> parts: u32;
var<private> stream: array<u32, STREAM_WORDS_MAX>;
var<private> stream_bytes: u32;

fn me() -> u32 { return (parts - 1u) * LANE_COUNT + lane_index; }

fn length_of_mine() -> u32 { return select(me() % 128u, 251u, parts % 2u == 1u); }

fn stream_words() -> u32 { return (stream_bytes + 3u) / 4u; }

fn packets_of_stream() -> u32 {
  let first = DATA_WORDS - LENGTH_WORDS;
  return 1u + (max(stream_words(), first) - first + DATA_WORDS - 1u) / DATA_WORDS;
}

// The first word of the stream that is in its packet of that number.
fn first_word(number: u32) -> u32 { return max(number * DATA_WORDS, LENGTH_WORDS) - LENGTH_WORDS; }

fn put_chunk(number: u32) {
  let head = select(0u, LENGTH_WORDS, number == 0u);
  if head > 0u {
    packet_set(0u, stream_bytes);
    packet_set(1u, 0u);
  }
  let begin = first_word(number);
  for (var word = begin; word < min(begin + DATA_WORDS - head, stream_words()); word++) {
    packet_set(word - begin + head, stream[word]);
  }
}

fn take_chunk(number: u32) {
  let head = select(0u, LENGTH_WORDS, number == 0u);
  if head > 0u { stream_bytes = min(packet_get(0u), 4u * STREAM_WORDS_MAX); }
  let begin = first_word(number);
  for (var word = begin; word < min(begin + DATA_WORDS - head, stream_words()); word++) {
    stream[word] = packet_get(word - begin + head);
  }
}

fn is_last_turn() -> bool { return session_turn + 2u >= 2u * packets_of_stream(); }

fn byte_of(position: u32) -> u32 { return (stream[position / 4u] >> (8u * (position % 4u))) & 0xffu; }

fn set_byte(position: u32, value: u32) {
  let shift = 8u * (position % 4u);
  let others = stream[position / 4u] & ~(0xffu << shift);
  stream[position / 4u] = others | ((value & 0xffu) << shift);
}

fn client_fill() -> bool {
  if session_turn == 0u {
    if parts == dispatch.calls_per_wave { return false; }
    parts++;
    stream_bytes = length_of_mine();
    for (var position = 0u; position < stream_bytes; position++) {
      set_byte(position, me() * 31u + position * 7u);
    }
  }
  if session_turn < packets_of_stream() { put_chunk(session_turn); }
  return true;
}

fn client_use() {
  let packets = packets_of_stream();
  if session_turn + 1u >= packets && session_turn + 2u <= 2u * packets {
    take_chunk(session_turn + 1u - packets);
  }
  if is_last_turn() { sum_up(); } else { another_turn(); }
}

// Runs again, with the same sum, in the turns that other lanes still need.
fn sum_up() {
  var sum = stream_bytes;
  for (var position = 0u; position < stream_bytes; position++) {
    sum = sum * 16777619u ^ byte_of(position);
  }
  results[me()] = sum;
}

fn client_end() {}

fn serve(opcode: u32) {
  if session_turn == 0u { stream_bytes = min(packet_get(0u), 4u * STREAM_WORDS_MAX); }
  let packets = packets_of_stream();
  if session_turn < packets { take_chunk(session_turn); }
  if session_turn + 1u == packets {
    for (var position = 0u; position < stream_bytes; position++) {
      set_byte(position, byte_of(position) + 1u);
    }
  }
  if session_turn + 1u >= packets { put_chunk(session_turn + 1u - packets); }
  if !is_last_turn() { another_turn(); }
}
