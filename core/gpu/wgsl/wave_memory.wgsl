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
  // The workgroup memory of the author's text.
  together: SavedShared,
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

// A wave that begins loads what is left of other runs, and masks all but the frame, which it does not load.
fn wave_load(exists: bool) {
  let has_begun = exists & (wave_index < epoch_params.begun_below);
  let mask = select(0u, 0xffffffffu, has_begun);
  wave.port = wave_states[wave_index].port & mask;
  let pending = wave_states[wave_index].pending & mask;
  wave.pending = pending & (OP_ALL | OPCODE_BITS);
  wave.flags = pending >> FLAGS_SHIFT;
  wave.mask = vec2u(1u, 0u);
  if IS_GROUP { wave.mask = wave_states[wave_index].mask & vec2u(mask); }
  if USES_STREAMS {
    wave.cursor = wave_states[wave_index].cursor & mask;
    wave.longest = wave_states[wave_index].longest & mask;
  }
  let saved = wave_index * LANE_COUNT + lane_index;
  lane.key = (lane_states[saved].key & mask) | select(KEY_DONE, 0u, exists);
  let packed = lane_states[saved].packed & mask;
  lane.step = packed & END;
  lane.status = (packed >> 16u) & STATUS_SAVED_MAX;
  lane.sent_words = packed >> 21u;
  if USES_STREAMS { lane.stream_bytes = lane_states[saved].stream_bytes & mask; }
  if BUFFERS_PRINTF || PRINTS_AT_ONCE { lane.deferred = lane_states[saved].deferred & mask; }
  if has_begun { frame_load(saved); }
  if SHARES_MEMORY { if has_begun { shared_load(wave_index, lane_index, LANE_COUNT); } }
  wave_check_port();
}

// Mirrors what ClientPort does whenever the packet comes back: a call that was refused is closed.
fn wave_check_port() {
  let has_port = wave.port != 0u;
  let index = max(wave.port, 1u) - 1u;
  owns = has_port & port_try_recv(index, wave_sent_value());
  blocked = has_port & !owns;
  reply_word = packet_word(index, lane_index);
  let status = port_status(index);
  // What the lane itself has rejected, such as a stream that is too long, stays.
  let is_refused = owns & (status != STATUS_OK) & takes_part();
  if is_refused & is_first_lane() { failure_tell(REPORT_REFUSAL_WORD, wave.pending & OPCODE_BITS, lane.step); }
  lane.status = select(lane.status, status, is_refused);
  wave.pending = select(wave.pending, OP_CLOSE | (wave.pending & OPCODE_BITS), is_refused);
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
