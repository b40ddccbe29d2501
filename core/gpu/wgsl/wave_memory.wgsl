// What a wave keeps from one dispatch to the next.

// WaveState and LaneState as they are stored. Small fields share a word, because each word that is
// loaded or stored costs more than taking it apart.
struct SavedWave {
  port: u32,
  // WaveState.pending, and its flags in the three high bits.
  pending: u32,
  mask: vec2u,
  cursor: u32,
  longest: u32,
}

// A larger status, which no server of this version writes, is saved as this one.
const STATUS_SAVED_MAX = 31u;

struct SavedLane {
  key: u32,
  // Step, status and sent words, from the low bits up: 16, 5 and 11 bits.
  packed: u32,
  stream_bytes: u32,
  deferred: u32,
  frame: SavedFrame,
}

fn wave_load(exists: bool) {
  lane.key = select(KEY_DONE, 0u, exists);
  if !exists || wave_index >= epoch_params.begun_below { return; }
  lane_load();
  wave.port = wave_states[wave_index].port;
  let pending = wave_states[wave_index].pending;
  wave.pending = pending & (OP_ALL | OPCODE_BITS);
  wave.flags = pending >> FLAGS_SHIFT;
  if IS_GROUP { wave.mask = wave_states[wave_index].mask; } else { wave.mask = vec2u(1u, 0u); }
  if USES_STREAMS {
    wave.cursor = wave_states[wave_index].cursor;
    wave.longest = wave_states[wave_index].longest;
  }
  let base = memory_base();
  for (var word = 0u; word < lane.sent_words; word++) { sent[word] = lane_memory[base + word]; }
  if wave.port != 0u { wave_check_port(wave.port - 1u); }
}

// Mirrors what ClientPort does whenever the packet comes back: a call that was refused is closed.
fn wave_check_port(index: u32) {
  let sent_value = select(0u, 1u, (wave.flags & FLAG_SENT_VALUE) != 0u);
  owns = port_try_recv(index, sent_value);
  blocked = !owns;
  // Sends again what the host has not seen, as the mailbox was written over.
  if blocked && is_first_lane() && port_owns(index) { port_send(index, epoch_params.epoch); }
  if !owns || (wave.flags & FLAG_CONTINUES) == 0u || !takes_part() { return; }
  let status = port_status(index);
  // What the lane itself has rejected, such as a stream that is too long, stays.
  if status == STATUS_OK { return; }
  lane.status = status;
  wave.pending = OP_CLOSE | (wave.pending & OPCODE_BITS);
}

fn lane_load() {
  let saved = wave_index * LANE_COUNT + lane_index;
  lane.key = lane_states[saved].key;
  let packed = lane_states[saved].packed;
  lane.step = packed & END;
  lane.status = (packed >> 16u) & STATUS_SAVED_MAX;
  lane.sent_words = packed >> 21u;
  if USES_STREAMS { lane.stream_bytes = lane_states[saved].stream_bytes; }
  if BUFFERS_PRINTF || PRINTS_AT_ONCE { lane.deferred = lane_states[saved].deferred; }
  frame_load(saved);
}

fn lane_save() {
  let saved = wave_index * LANE_COUNT + lane_index;
  lane_states[saved].key = lane.key;
  let status = min(lane.status, STATUS_SAVED_MAX);
  let packed = min(lane.step, END) | (status << 16u) | (lane.sent_words << 21u);
  lane_states[saved].packed = packed;
  if USES_STREAMS { lane_states[saved].stream_bytes = lane.stream_bytes; }
  if BUFFERS_PRINTF || PRINTS_AT_ONCE { lane_states[saved].deferred = lane.deferred; }
  frame_save(saved);
  let base = memory_base();
  for (var word = 0u; word < lane.sent_words; word++) { lane_memory[base + word] = sent[word]; }
}

fn wave_save() {
  wave_states[wave_index].port = wave.port;
  wave_states[wave_index].pending = wave.pending | (wave.flags << FLAGS_SHIFT);
  if IS_GROUP { wave_states[wave_index].mask = wave.mask; }
  if USES_STREAMS {
    wave_states[wave_index].cursor = wave.cursor;
    wave_states[wave_index].longest = wave.longest;
  }
}
