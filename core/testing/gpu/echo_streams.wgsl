// L5 and L6: each lane sends a stream and gets it back, each byte plus one. In
// even waves all lanes send 251 bytes, in odd waves lanes need different numbers of packets.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

fn me() -> u32 { return wave_index * LANE_COUNT + lane_index; }

fn length_of_mine() -> u32 { return select(me() % 128u, 251u, wave_index % 2u == 0u); }

fn byte_at(position: u32) -> u32 { return (me() * 31u + position * 7u) & 0xffu; }

fn step_0() {
  for (var position = 0u; position < length_of_mine(); position++) {
    put_word(byte_at(position), 1u);
  }
  exchange_streams(ECHO_PLUS_ONE);
}

fn step_1() {
  var sum = stream_length();
  for (var position = 0u; position < stream_length(); position++) {
    let byte = (stream_word(position / 4u) >> (8u * (position % 4u))) & 0xffu;
    sum = sum * 16777619u ^ byte;
  }
  results[me()] = sum;
}
