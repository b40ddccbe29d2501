// The lane's stream, for the steps of a kernel: bytes to send, or the bytes that came back.

// How many bytes the lane's stream holds.
fn stream_length() -> u32 { return lane.stream_bytes; }

fn stream_set_length(bytes: u32) {
  if bytes > STREAM_BYTES { lane_fail(ERROR_STREAM_FULL); } else { lane.stream_bytes = bytes; }
}

// Four bytes of the lane's stream, the first in the low bits.
fn stream_word(word: u32) -> u32 { return lane_memory[stream_place(word)]; }

fn stream_set_word(word: u32, value: u32) { lane_memory[stream_place(word)] = value; }

fn stream_place(word: u32) -> u32 {
  return memory_base() + LANE_WORDS + min(word, max(STREAM_BYTES / 4u, 1u) - 1u);
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
