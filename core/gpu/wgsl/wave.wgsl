// How a wave lives through epochs: it runs its steps until its lanes ask for something, does what
// they ask as far as it can without the host, saves itself, and ends. The next dispatch goes on.
//
// Written for few instructions rather than few that run: a software adapter (SwiftShader) executes
// both sides of every branch and the body of every loop at least once, under a mask. What a kernel
// does not use is left out through the USES_ constants.

struct Params {
  // 1 for the first dispatch of a run; never the same twice within 65536.
  epoch: u32,
  wave_count: u32,
  // Which wave runs first: turns when ports are scarce, so that no wave is always the last.
  first_wave: u32,
  // Not 0 when waves went without a port in the epoch before.
  scarce: u32,
  // Not 0 in the first dispatch of a run: nothing was saved yet.
  is_first: u32,
}

struct WaveState {
  // The open port, and the port that was kept for a call in the same dispatch; 0 for none, else
  // index + 1.
  port: u32,
  home: u32,
  mask: vec2u,
  // What is left to do: OP_ bits, and the opcode in the low half.
  program: u32,
  flags: u32,
  // The stream that is under way: its next byte, and the longest of the lanes' lengths.
  cursor: u32,
  longest: u32,
}

struct LaneState {
  // What the lane wants: see the KEY_ constants.
  key: u32,
  step: u32,
  status: u32,
  stream_bytes: u32,
  sent_words: u32,
}

@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<storage, read_write> wave_states: array<SavedWave>;
@group(0) @binding(4) var<storage, read_write> lane_states: array<SavedLane>;
// For each lane the words of a packet that waits for a port, then its stream.
@group(0) @binding(5) var<storage, read_write> lane_memory: array<u32>;

// A key below KEY_ASKS is the step to run. From there on it is a request: OP_ bits, and the opcode
// in the low half. The smallest key of a wave is what it does next, and the lanes that have it do
// it together.
const KEY_ASKS = 0x80000000u;
const KEY_PARKED = 0xfffffffeu;
const KEY_DONE = 0xffffffffu;

// The operations of a request, done from the lowest bit up.
const OP_OPEN = 0x10000u;
const OP_SEND = 0x20000u;
const OP_SEND_STREAM = 0x40000u;
const OP_RECV = 0x80000u;
const OP_RECV_STREAM = 0x100000u;
const OP_CLOSE = 0x200000u;
const OP_ALL = 0x3f0000u;
const OPCODE_BITS = 0xffffu;

const FLAGS_SHIFT = 30u;
const FLAG_RECEIVED = 1u;
const FLAG_CONTINUES = 2u;

var<private> lane_index: u32;
var<private> wave_index: u32;
var<private> wave_slot: u32;
var<private> frame: Frame;
var<private> lane: LaneState;
var<private> wave: WaveState;
// Filled by packet_set(), given away by the next send.
var<private> sent: array<u32, LANE_WORDS>;
// Where reply() reads.
var<private> reply_word: u32;
// Whether the wave's port is ours: true at most until the first send of a dispatch.
var<private> owns: bool;
// Whether this pass gives the packet away.
var<private> gives: bool;
// Nothing is left to do before the host has been here.
var<private> blocked: bool;

fn in_mask(mask: vec2u, index: u32) -> bool {
  return ((select(mask.x, mask.y, index >= 32u) >> (index & 31u)) & 1u) == 1u;
}

fn memory_base() -> u32 {
  return (wave_index * LANE_COUNT + lane_index) * LANE_MEMORY_WORDS;
}

fn lane_fail(code: u32) {
  atomicStore(&channel[REPORT_ERROR_CODE_WORD], code);
  atomicStore(&channel[REPORT_ERROR_WAVE_WORD], wave_index);
  port_report(REPORT_FAILED_WORD, params.epoch);
  lane.key = KEY_DONE;
}

// Runs this lane's steps until it asks for something. No barrier is inside: lanes and waves may be
// at different steps.
fn lane_run() {
  if blocked || (wave.port != 0u && !takes_part()) { return; }
  for (var count = 0u; count < STEPS_MAX && lane.key < KEY_ASKS; count++) {
    let step = lane.key;
    lane.step = step + 1u;
    run_step(step);
    if lane.key == step { lane.key = lane.step; }
  }
}

// What this lane wants to do next, as the wave sees it.
fn lane_key() -> u32 {
  return select(lane.key, KEY_PARKED, wave.port != 0u && !takes_part());
}

// What does the wave do next? Up to the point where a port may have to be found.
fn wave_choose(least: u32, mask: vec2u, longest: u32) {
  if blocked || (wave.program & OP_ALL) != 0u || least < KEY_ASKS { return; }
  if least >= KEY_PARKED {
    // All lanes of the port have finished without closing it.
    if wave.port != 0u { wave.program |= OP_CLOSE; }
    return;
  }
  let opens = (least & OP_OPEN) != 0u;
  if USES_SESSIONS && !wave_may(opens, mask) { return; }
  wave.cursor = 0u;
  wave.longest = longest;
  if opens {
    wave.program = least & ~KEY_ASKS;
    wave.mask = mask;
    wave.flags = 0u;
    if in_mask(mask, lane_index) { lane.status = STATUS_OK; }
  } else {
    wave.program |= least & OP_ALL;
  }
}

// A wave that breaks a rule does not go on: its lanes would wait for each other for ever. What is
// left of a call that the server refused does nothing: reply_status() says why.
fn wave_may(opens: bool, mask: vec2u) -> bool {
  let is_open = wave.port != 0u;
  if is_open != opens && (opens || all(mask == wave.mask)) { return true; }
  if !is_open && lane.status != STATUS_OK {
    if in_mask(mask, lane_index) { lane.key = lane.step; }
    return false;
  }
  lane_fail(select(ERROR_NO_PORT_OPEN, select(ERROR_DIVERGED_IN_PORT, ERROR_PORT_ALREADY_OPEN, opens), is_open));
  if is_open && leads() { port_close(wave.port - 1u, params.epoch); }
  wave.port = 0u;
  return false;
}

// For the leader: the port of a new call. The last one if it was kept, else the first free one.
fn wave_find_port() -> u32 {
  if wave.home != 0u { return wave.home - 1u; }
  let start = wave_index + select(0u, params.epoch * SEARCH_ATTEMPTS, params.scarce != 0u);
  return port_try_open(start % PORT_COUNT, SEARCH_ATTEMPTS, params.epoch);
}

fn wave_take_port(index: u32) {
  if index == NO_PORT {
    blocked = true;
    port_report(REPORT_STARVED_WORD, params.epoch);
    return;
  }
  wave.port = index + 1u;
  wave.home = 0u;
  owns = true;
  wave.program &= ~OP_OPEN;
}

fn is_next(operation: u32) -> bool {
  return (wave.program & OP_ALL & (2u * operation - 1u)) == operation;
}

fn wave_did(operation: u32) { wave.program &= ~operation; }

fn wave_run(place: u32) {
  let exists = place < params.wave_count;
  wave_index = (place + params.first_wave) % params.wave_count;
  wave_load(exists);
  wave_look_together();
  wave_pass(true);
  var is_busy = false;
  for (var turn = 0u; turn < TURNS_MAX; turn++) {
    lane_run();
    let agreement = wave_agree(lane_key());
    wave_choose(agreement.least, agreement.mask, agreement.longest);
    let finds = !blocked && is_next(OP_OPEN);
    let index = wave_share_port(finds);
    if finds { wave_take_port(index); }
    wave_pass(false);
    is_busy = !blocked && (agreement.least < KEY_PARKED || wave.port != 0u);
    if !group_goes_on(is_busy, turn) { break; }
  }
  if exists { wave_leave(is_busy); }
}

fn wave_leave(is_busy: bool) {
  if is_busy { port_report(REPORT_LIMITED_WORD, params.epoch); }
  if blocked && wave.port != 0u { port_report(REPORT_SUSPENDED_WORD, params.epoch); }
  // A port that was kept goes back to everybody: the wave has finished, or used up its turns.
  if wave.home != 0u && leads() { port_close(wave.home - 1u, params.epoch); }
  lane_save();
  if lane_index == 0u { wave_save(); }
}
