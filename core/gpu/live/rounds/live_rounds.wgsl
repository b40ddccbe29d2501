// How a wave runs over several dispatches, on an adapter that leaves all loops of an invocation once these have
// had a number of rounds together: it counts them, ends before that with what it is kept, and goes on in the next.

// Functions that save a frame mention it. What all lanes of a wave agree on, each of them keeps.
struct SavedLane {
  // One of the LANE_ constants; LANE_NEW before the run.
  state: u32,
  owns: u32,
  last_port: u32,
  waited: u32,
  lane: LaneState,
  wave: WaveState,
  frame: SavedFrame,
}
@group(0) @binding(LANE_STATES_BINDING) var<storage, read_write> lane_states: array<SavedLane>;

const LANE_NEW = 0u;
const LANE_PAUSED = 1u;
const LANE_ENDED = 2u;

// Returns whether the wave has something left to do.
fn wave_begins() -> bool {
  let at = wave_index * LANE_COUNT + lane_index;
  let state = lane_states[at].state;
  if state == LANE_ENDED { return false; }
  if state == LANE_NEW {
    wave_tells_begin();
    return true;
  }
  lane = lane_states[at].lane;
  wave = lane_states[at].wave;
  owns = lane_states[at].owns != 0u;
  last_port = lane_states[at].last_port;
  waited = lane_states[at].waited;
  frame_load(at);
  if lane_index == 0u { atomicSub(&live[LIVE_PAUSED_WORD], 1u); }
  return true;
}

// Keeps what the wave is. Where it was about to open a port it chooses again what for.
fn wave_keep() {
  if loops_are_left() { _ = atomicCompareExchangeWeak(&live[LIVE_ENDED_WORD], 0u, END_CUT_OFF); }
  let at = wave_index * LANE_COUNT + lane_index;
  lane_states[at].state = select(LANE_ENDED, LANE_PAUSED, is_paused);
  if !is_paused { return; }
  wave.pending = select(wave.pending, 0u, wave.port == 0u);
  lane_states[at].lane = lane;
  lane_states[at].wave = wave;
  lane_states[at].owns = select(0u, 1u, owns);
  lane_states[at].last_port = last_port;
  lane_states[at].waited = waited;
  frame_save(at);
  if lane_index == 0u { atomicAdd(&live[LIVE_PAUSED_WORD], 1u); }
}

// Whether the wave pauses, behind the barrier by which lanes agree: each reply has been read, and no call has
// begun. Sync: before the next turn's lane_tells_rounds() is another barrier, so that all lanes see the same.
fn wave_pauses() -> bool {
  is_paused = wave_wants_pause();
  // A port may be locked for the request that comes next.
  if is_paused { _ = wave_last_port(false); }
  return is_paused;
}

// Whether an adapter has left a loop early: then this one ends after its first round, whatever its condition.
fn loops_are_left() -> bool {
  var turns = 0u;
  loop {
    turns++;
    continuing { break if turns >= min(rounds_max, 2u); }
  }
  return turns < 2u;
}
