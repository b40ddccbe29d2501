// The wave of a litmus test, and those that stress the memory: litmus_source.ts writes the constants before this, and play() behind it.

@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
// The same memory, for plain accesses.
@group(0) @binding(1) var<storage, read_write> plain: array<u32>;

// Twin: placeOf() of litmus_memory.ts.
fn place_of(instance: u32, prime: u32) -> u32 { return (instance * prime) % INSTANCES; }

// Twin: scrambled().
fn scrambled(value: u32) -> u32 {
  var state = (value ^ (value >> 16u)) * 0x45d9f3bu;
  state = (state ^ (state >> 16u)) * 0x45d9f3bu;
  return state ^ (state >> 16u);
}

// Rounds of this lane's loops, where a device leaves these early.
var<private> loop_rounds: u32;

// Says that the wave is there, and waits for the host to give the start. Returns whether it has to go on in
// another dispatch.
fn await_start(start: u32) -> bool {
  atomicStore(&words[PROGRESS_WORD], start + 1u);
  var pauses = false;
  for (var look = 0u; !pauses && atomicLoad(&words[STARTED_WORD]) <= start; look++) {
    if (look & 255u) == 0u && atomicLoad(&words[STOP_WORD]) != 0u { break; }
    pauses = loop_rounds > ROUNDS_PAUSE;
  }
  return pauses;
}

// Tarries for a while, in the way of others. Twin: tarryTurns().
fn tarry(random: u32) {
  let turns = (random >> 8u) & ((1u << (random & 7u)) - 1u);
  for (var turn = 0u; turn < turns; turn++) {
    atomicAdd(&words[STRESS_WORD + (random + turn) % STRESS_LINES * 16u], 1u);
  }
}

// Writes and reads lines until the wave has finished, and reads what the instances of this start have,
// whose lines are the host's to write. Where nothing goes on it leaves: it may be in the way of a wave
// that has not begun.
fn stress(seed: u32, stride: u32) {
  var random = seed;
  var sum = 0u;
  var turns = 0u;
  var last = 0u;
  for (var idle = 0u; idle < STRESS_IDLE; idle++) {
    let start = atomicLoad(&words[STARTED_WORD]);
    if start != last { idle = 0u; }
    last = start;
    if (idle & 15u) == 0u {
      if atomicLoad(&words[PROGRESS_WORD]) > STARTS || atomicLoad(&words[STOP_WORD]) != 0u { break; }
    }
    random = scrambled(random + 1u);
    let line = STRESS_WORD + random % STRESS_LINES * 16u;
    if (random & 0x100u) == 0u { atomicStore(&words[line], random); }
    else { sum += atomicLoad(&words[line]); }
    let instance = (max(start, 1u) - 1u) * TURNS + (random >> 9u) % TURNS;
    if (random & 0x40000000u) == 0u { sum += atomicLoad(&words[X_WORD + place_of(instance, X_PRIME) * stride]); }
    else { sum += atomicLoad(&words[Y_WORD + place_of(instance, Y_PRIME) * stride]); }
    turns++;
  }
  // Nobody needs the sum, but without it no reads.
  atomicAdd(&words[STRESS_TURNS_WORD], turns + (sum & 1u));
}

fn keep(instance: u32, result: u32, lane: u32, seen: u32) {
  plain[RESULTS_WORD + (instance * RESULTS + result) * LANES + lane] = seen;
}

const STARTS = INSTANCES / TURNS;
var<workgroup> pauses: bool;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let stride = atomicLoad(&words[STRIDE_WORD]);
  let seed = atomicLoad(&words[SEED_WORD]);
  if group.x > 0u {
    stress(seed + group.x * LANES + lane, stride);
    return;
  }
  let progress = atomicLoad(&words[PROGRESS_WORD]);
  for (var start = max(progress, 1u) - 1u; start < STARTS; start++) {
    if lane == 0u { pauses = await_start(start); }
    if LANES > 1u { workgroupBarrier(); }
    if pauses { return; }
    if lane == 0u { tarry(scrambled(seed + start)); }
    if LANES > 1u { workgroupBarrier(); }
    for (var turn = 0u; turn < TURNS; turn++) {
      let instance = start * TURNS + turn;
      let x = X_WORD + place_of(instance, X_PRIME) * stride;
      let y = Y_WORD + place_of(instance, Y_PRIME) * stride;
      play(instance, x, y, lane);
    }
  }
  if lane == 0u { atomicStore(&words[PROGRESS_WORD], STARTS + 1u); }
}
