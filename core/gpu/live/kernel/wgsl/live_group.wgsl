// How the lanes of a wave agree while a kernel runs, where a wave is a workgroup. Each barrier costs as
// much as a call, so one serves several ends.

// A turn has one of three places, so that one is cleared while the other two may be in use: no barrier stands
// between the last reader of a turn and the first writer of the next.
const PLACES = 3u;
// Both begin as 0: the smallest key is the largest of their complements.
var<workgroup> agreed_largest: array<atomic<u32>, PLACES>;
var<workgroup> agreed_least: array<atomic<u32>, PLACES>;
var<workgroup> agreed_longest: array<atomic<u32>, PLACES>;
var<workgroup> agreed_mask: array<atomic<u32>, 2u * PLACES>;
// The port that the first lane has locked for the request that the lanes agree on, whatever it is.
var<workgroup> early_port: u32;
var<workgroup> found_port: u32;
var<workgroup> told: u32;
var<private> turn_place: u32;
var<workgroup> pause_wanted: atomic<u32>;

const ALL_LANES = vec2u(
  0xffffffffu >> ((32u - min(LANE_COUNT, 32u)) & 31u),
  select(0u, 0xffffffffu >> ((64u - LANE_COUNT) & 31u), LANE_COUNT > 32u),
);

// The smallest key of the wave, the lanes that have it, and their longest stream.
fn wave_agree(key: u32) -> Agreement {
  turn_place = select(turn_place + 1u, 0u, turn_place + 1u == PLACES);
  let next = select(turn_place + 1u, 0u, turn_place + 1u == PLACES);
  if lane_index == 0u {
    atomicStore(&agreed_largest[next], 0u);
    atomicStore(&agreed_least[next], 0u);
    atomicStore(&agreed_longest[next], 0u);
    atomicStore(&agreed_mask[2u * next], 0u);
    atomicStore(&agreed_mask[2u * next + 1u], 0u);
    early_port = port_try_last((wave.port == 0u) & ((key & ~OPCODE_BITS) == PLAIN_CALL));
  }
  atomicMax(&agreed_least[turn_place], ~key);
  atomicMax(&agreed_largest[turn_place], key);
  workgroupBarrier();
  let least = ~atomicLoad(&agreed_least[turn_place]);
  var mask = ALL_LANES;
  if atomicLoad(&agreed_largest[turn_place]) != least {
    if key == least { atomicOr(&agreed_mask[2u * turn_place + (lane_index >> 5u)], 1u << (lane_index & 31u)); }
    workgroupBarrier();
    let place = 2u * turn_place;
    mask = vec2u(atomicLoad(&agreed_mask[place]), atomicLoad(&agreed_mask[place + 1u]));
  }
  var longest = 0u;
  if USES_STREAMS {
    if key == least { atomicMax(&agreed_longest[turn_place], lane.stream_bytes); }
    workgroupBarrier();
    longest = atomicLoad(&agreed_longest[turn_place]);
  }
  return Agreement(least, mask, longest);
}

// Whether the lanes of the wave can agree.
fn wave_is_whole() -> bool { return true; }

// What the first lane says, for all lanes. There is another barrier before the first lane says the next.
fn wave_tell(value: u32) -> u32 {
  if is_first_lane() { told = value; }
  workgroupBarrier();
  return told;
}

// All lanes have done with the packet what they wanted to. Sync: live_spirv.ts lets the barrier order
// buffers, too: what the first lane publishes next includes what the others wrote.
fn wave_meet() { workgroupBarrier(); }

fn wave_last_port(opens: bool) -> u32 {
  let found = early_port;
  if !opens & (found != NO_PORT) & (lane_index == 0u) { port_unlock(found); }
  return select(NO_PORT, found, opens);
}

// One lane looks for a port, and all lanes get what it has found.
fn wave_broadcast_port(finds: bool) -> vec2u {
  if finds & is_first_lane() { found_port = wave_find_port(true).x; }
  workgroupBarrier();
  return vec2u(found_port, 0u);
}

// Before lanes agree: this one wants to pause.
fn lane_tells_rounds() {
  if loop_rounds > ROUNDS_PAUSE { atomicStore(&pause_wanted, 1u); }
}

fn wave_wants_pause() -> bool { return atomicLoad(&pause_wanted) != 0u; }
