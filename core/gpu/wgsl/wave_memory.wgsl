// What of a wave outlives a dispatch.

// WaveState and LaneState as they are kept between dispatches: words cost more than the bits in
// them.
struct SavedWave {
  port: u32,
  // Program, and flags in the two high bits.
  program: u32,
  mask: vec2u,
  cursor: u32,
  longest: u32,
}

struct SavedLane {
  key: u32,
  // Step, status and sent words, from the low bits up: 16, 8 and 8 bits.
  place: u32,
  stream_bytes: u32,
  frame: Frame,
}

fn wave_load(exists: bool) {
  lane.key = select(KEY_DONE, 0u, exists);
  if !exists || params.is_first != 0u { return; }
  lane_load();
  wave.port = wave_states[wave_index].port;
  let program = wave_states[wave_index].program;
  wave.program = program & (OP_ALL | OPCODE_BITS);
  wave.flags = program >> FLAGS_SHIFT;
  if IS_GROUP { wave.mask = wave_states[wave_index].mask; } else { wave.mask = vec2u(1u, 0u); }
  if USES_STREAMS {
    wave.cursor = wave_states[wave_index].cursor;
    wave.longest = wave_states[wave_index].longest;
  }
  let base = memory_base();
  for (var word = 0u; word < lane.sent_words; word++) { sent[word] = lane_memory[base + word]; }
  if wave.port != 0u { wave_look(wave.port - 1u); }
}

// Twin: ClientPort, whenever the packet comes back: a call that the server refused is closed.
fn wave_look(index: u32) {
  owns = port_try_recv(index);
  blocked = !owns;
  if !owns || (wave.flags & FLAG_CONTINUES) == 0u || !takes_part() { return; }
  lane.status = port_status(index);
  if lane.status != STATUS_OK { wave.program = OP_CLOSE | (wave.program & OPCODE_BITS); }
}

fn lane_load() {
  let saved = wave_index * LANE_COUNT + lane_index;
  lane.key = lane_states[saved].key;
  let place = lane_states[saved].place;
  lane.step = place & END;
  lane.status = (place >> 16u) & 0xffu;
  lane.sent_words = place >> 24u;
  if USES_STREAMS { lane.stream_bytes = lane_states[saved].stream_bytes; }
  frame = lane_states[saved].frame;
}

fn lane_save() {
  let saved = wave_index * LANE_COUNT + lane_index;
  lane_states[saved].key = lane.key;
  let place = min(lane.step, END) | ((lane.status & 0xffu) << 16u) | (lane.sent_words << 24u);
  lane_states[saved].place = place;
  if USES_STREAMS { lane_states[saved].stream_bytes = lane.stream_bytes; }
  lane_states[saved].frame = frame;
  let base = memory_base();
  for (var word = 0u; word < lane.sent_words; word++) { lane_memory[base + word] = sent[word]; }
}

fn wave_save() {
  wave_states[wave_index].port = wave.port;
  wave_states[wave_index].program = wave.program | (wave.flags << FLAGS_SHIFT);
  if IS_GROUP { wave_states[wave_index].mask = wave.mask; }
  if USES_STREAMS {
    wave_states[wave_index].cursor = wave.cursor;
    wave_states[wave_index].longest = wave.longest;
  }
}
