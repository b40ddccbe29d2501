// The lane's stream, for the steps of a kernel: bytes to send, or the bytes that came back.

// How many bytes the lane's stream holds.
fn stream_length() -> u32 { return lane.stream_bytes; }

fn stream_set_length(bytes: u32) {
  if bytes > STREAM_BYTES { lane_fail(ERROR_STREAM_FULL); } else { lane.stream_bytes = bytes; }
}

// Four bytes of the lane's stream, the first in the low bits.
fn stream_word(word: u32) -> u32 { return lane_memory[stream_word_place(word)]; }

fn stream_set_word(word: u32, value: u32) { lane_memory[stream_word_place(word)] = value; }

fn stream_word_place(word: u32) -> u32 {
  if word >= (STREAM_BYTES + 3u) / 4u { lane_fail(ERROR_STREAM_FULL); }
  return stream_place(word);
}

fn stream_place(word: u32) -> u32 {
  return memory_base() + LANE_WORDS + min(word, max((STREAM_BYTES + 3u) / 4u, 1u) - 1u);
}

// Appends up to four bytes, the first in the low bits; put("text") becomes calls of it.
fn put_word(bytes: u32, count: u32) {
  let start = lane.stream_bytes;
  stream_set_length(start + count);
  if lane.key == KEY_DONE { return; }
  let shift = (start & 3u) * 8u;
  let place = stream_place(start / 4u);
  if shift == 0u {
    lane_memory[place] = bytes;
  } else {
    lane_memory[place] |= bytes << shift;
    if shift + count * 8u > 32u { lane_memory[place + 1u] = bytes >> (32u - shift); }
  }
}

// Appends a number in decimal.
fn put_u32(value: u32) {
  var power = 1u;
  while value / power >= 10u { power *= 10u; }
  for (; power > 0u; power /= 10u) { put_word(48u + (value / power) % 10u, 1u); }
}

fn put_i32(value: i32) {
  if value < 0 { put_word(45u, 1u); }
  put_u32(u32(select(value, -value, value < 0)));
}

// printf of `fn kernel()`. Its records wait in the lane's stream until another might not fit into the
// packet, and go before whatever else the lane asks for, and before it ends: so an epoch carries many
// lines of a lane, and the host still sees what a lane does in its order. Where the kernel uses the
// stream for itself, or keeps a port open, each record goes at once, from behind what the stream holds.

// The printf whose format stands in the stream last, from 1, in the high half; and its byte there.
var<private> printf_last: u32;

// In place of a length: the format of a record stands in front, at the byte that follows.
const FORMAT_BEFORE = 0x80000000u;

// Where a record of at most so many bytes goes.
fn printf_place(bytes: u32) -> u32 {
  if bytes > STREAM_BYTES { lane_fail(ERROR_STREAM_FULL); }
  return memory_base() + LANE_WORDS + (lane.stream_bytes + 3u) / 4u;
}

fn printf_repeats(number: u32) -> bool { return BUFFERS_PRINTF && (printf_last >> 16u) == number; }

fn printf_before() -> u32 { return FORMAT_BEFORE | (printf_last & 0xffffu); }

// Takes the words up to `end` for a record of the stream.
fn printf_put(number: u32, end: u32) {
  if !printf_repeats(number) { printf_last = (number << 16u) | lane.stream_bytes; }
  if PRINTS_AT_ONCE { lane.deferred = lane.stream_bytes + 1u; }
  lane.stream_bytes = (end - memory_base() - LANE_WORDS - printf_own_words()) * 4u;
  let room = min(STREAM_BYTES, LANE_WORDS * 4u - 8u);
  if PRINTS_AT_ONCE || lane.stream_bytes + PRINTF_BYTES > room { call_with_stream(OPCODE_PRINTF); }
}

// Words of the lane's own stream, in front of a record that is on its way.
fn printf_own_words() -> u32 { return select(0u, (lane.deferred + 2u) / 4u, PRINTS_AT_ONCE); }

// The lane has its own stream again, if what was sent or refused is a record.
fn printf_restore() {
  if !PRINTS_AT_ONCE || lane.deferred == 0u { return; }
  lane.stream_bytes = lane.deferred - 1u;
  lane.deferred = 0u;
}

// Has the lane's text go before what the lane has asked for, or its end.
fn printf_goes_first() {
  if lane.key < KEY_ASKS || lane.stream_bytes == 0u || lane.deferred != 0u { return; }
  if lane.key < KEY_WAITS && (lane.key & OPCODE_BITS) == OPCODE_PRINTF { return; }
  lane.deferred = lane.key;
  lane.key = lane.step;
  call_with_stream(OPCODE_PRINTF);
}

fn printf_done() {
  lane.stream_bytes = 0u;
  printf_last = 0u;
  if lane.deferred == 0u { return; }
  lane.key = lane.deferred;
  lane.deferred = 0u;
}
