// The lane's stream, for the steps of a kernel: bytes to send, or the bytes that came back.

// The number of bytes in the lane's stream.
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

// printf of `fn kernel()`. Its records wait in the lane's stream until another might not fit, and are
// sent before any other request of the lane, and before it ends. So an epoch carries many lines of a
// lane, and the host still sees its calls in order. If the kernel uses the stream itself, or keeps a
// port open, each record is sent at once, from after the contents of the stream.

// The printf, from 1, of the last format in the stream, in the high half, and its byte there.
var<private> printf_last: u32;

// Replaces a length: the format is that of an earlier record, at the byte in the low bits.
const FORMAT_BEFORE = 0x80000000u;

// Whether the lane has ended, and prints no more.
fn printf_ended() -> bool { return lane.key == KEY_DONE; }

// The place of a record of at most `bytes`.
fn printf_place(bytes: u32) -> u32 {
  if bytes > STREAM_BYTES { lane_fail(ERROR_STREAM_FULL); }
  return memory_base() + LANE_WORDS + (lane.stream_bytes + 3u) / 4u;
}

fn printf_repeats(number: u32) -> bool { return BUFFERS_PRINTF && (printf_last >> 16u) == number; }

fn printf_before() -> u32 { return FORMAT_BEFORE | (printf_last & 0xffffu); }

// Adds the words up to `end` to the stream as a record.
fn printf_put(number: u32, end: u32) {
  if !printf_repeats(number) { printf_last = (number << 16u) | lane.stream_bytes; }
  if PRINTS_AT_ONCE { lane.deferred = lane.stream_bytes + 1u; }
  lane.stream_bytes = (end - memory_base() - LANE_WORDS - printf_own_words()) * 4u;
  if PRINTS_AT_ONCE || lane.stream_bytes + PRINTF_BYTES > STREAM_BYTES { call_with_stream(OPCODE_PRINTF); }
}

// Words of the lane's own stream, before a record that is being sent.
fn printf_own_words() -> u32 { return select(0u, (lane.deferred + 2u) / 4u, PRINTS_AT_ONCE); }

// Restores the lane's own stream after a record was sent or rejected.
fn printf_restore() {
  if !PRINTS_AT_ONCE || lane.deferred == 0u { return; }
  lane.stream_bytes = lane.deferred - 1u;
  lane.deferred = 0u;
}

// Sends the lane's text before its request, or its end: then nothing is left to wait for, except where the
// waves' end ends the run, which its lines are part of.
fn printf_goes_first() {
  if lane.key < KEY_ASKS || lane.stream_bytes == 0u || lane.deferred != 0u { return; }
  if lane.key < KEY_WAITS && (lane.key & OPCODE_BITS) == OPCODE_PRINTF { return; }
  lane.deferred = lane.key;
  lane.key = lane.step;
  let waits = select(OP_RECV, 0u, !SPINS & (lane.deferred == KEY_DONE));
  ask(OP_OPEN | OP_SEND_STREAM | waits | OP_CLOSE, OPCODE_PRINTF);
}

fn printf_done() {
  lane.stream_bytes = 0u;
  printf_last = 0u;
  if lane.deferred == 0u { return; }
  lane.key = lane.deferred;
  lane.deferred = 0u;
}
