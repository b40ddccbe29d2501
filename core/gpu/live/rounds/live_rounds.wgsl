// How a wave runs over several dispatches, on an adapter that leaves all loops of an invocation once these have
// had a number of rounds together: it counts them, ends before that with what it is kept, and goes on in the next.

// Functions that save a frame mention it. What all lanes of a wave agree on, each of them keeps.
struct SavedLane {
  // One of the LANE_ constants; LANE_NEW before the run.
  state: u32,
  key: u32,
  step: u32,
  status: u32,
  stream_bytes: u32,
  sent_words: u32,
  deferred: u32,
  port: u32,
  pending: u32,
  flags: u32,
  mask_lo: u32,
  mask_hi: u32,
  cursor: u32,
  longest: u32,
  owns: u32,
  last_port: u32,
  waited: u32,
  frame: SavedFrame,
}
@group(0) @binding(LANE_STATES_BINDING) var<storage, read_write> lane_states: array<SavedLane>;

const LANE_NEW = 0u;
const LANE_PAUSED = 1u;
const LANE_ENDED = 2u;

// Rounds of this lane's loops in this dispatch, and of those that it has not entered, which run once.
var<private> loop_rounds: u32;
// Rounds of the wait that is under way, in earlier dispatches.
var<private> waited: u32;
var<private> is_paused: bool;
var<workgroup> pause_wanted: atomic<u32>;

// Returns whether the wave has something left to do.
fn wave_resume() -> bool {
  let at = wave_index * LANE_COUNT + lane_index;
  let state = lane_states[at].state;
  if state == LANE_ENDED { return false; }
  if state == LANE_PAUSED {
    lane.key = lane_states[at].key;
    lane.step = lane_states[at].step;
    lane.status = lane_states[at].status;
    lane.stream_bytes = lane_states[at].stream_bytes;
    lane.sent_words = lane_states[at].sent_words;
    lane.deferred = lane_states[at].deferred;
    wave.port = lane_states[at].port;
    wave.pending = lane_states[at].pending;
    wave.flags = lane_states[at].flags;
    wave.mask = vec2u(lane_states[at].mask_lo, lane_states[at].mask_hi);
    wave.cursor = lane_states[at].cursor;
    wave.longest = lane_states[at].longest;
    owns = lane_states[at].owns != 0u;
    last_port = lane_states[at].last_port;
    waited = lane_states[at].waited;
    frame_load(at);
    if lane_index == 0u { atomicSub(&live[LIVE_PAUSED_WORD], 1u); }
  } else if lane_index == 0u {
    atomicAdd(&live[LIVE_STARTED_WORD], 1u);
    wave_tell_state(WAVE_RUNS);
  }
  return true;
}

// Keeps what the wave is. Where it was about to open a port it chooses again what for.
fn wave_keep() {
  let at = wave_index * LANE_COUNT + lane_index;
  lane_states[at].state = select(LANE_ENDED, LANE_PAUSED, is_paused);
  if !is_paused { return; }
  lane_states[at].key = lane.key;
  lane_states[at].step = lane.step;
  lane_states[at].status = lane.status;
  lane_states[at].stream_bytes = lane.stream_bytes;
  lane_states[at].sent_words = lane.sent_words;
  lane_states[at].deferred = lane.deferred;
  lane_states[at].port = wave.port;
  lane_states[at].pending = select(wave.pending, 0u, wave.port == 0u);
  lane_states[at].flags = wave.flags;
  lane_states[at].mask_lo = wave.mask.x;
  lane_states[at].mask_hi = wave.mask.y;
  lane_states[at].cursor = wave.cursor;
  lane_states[at].longest = wave.longest;
  lane_states[at].owns = select(0u, 1u, owns);
  lane_states[at].last_port = last_port;
  lane_states[at].waited = waited;
  frame_save(at);
  if lane_index == 0u { atomicAdd(&live[LIVE_PAUSED_WORD], 1u); }
}

// Before lanes agree: this one wants to pause.
fn lane_tells_rounds() {
  if loop_rounds > ROUNDS_PAUSE { atomicStore(&pause_wanted, 1u); }
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

// Read-modify-writes, which no compiler merges: a round looks often, as rounds are scarce.
fn port_is_back(index: u32, mine: u32) -> bool {
  var is_back = atomicLoad(&OUTBOX) == mine;
  LOOKS
  return is_back;
}
