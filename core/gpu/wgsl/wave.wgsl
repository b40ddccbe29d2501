// A wave and its lanes: what the lanes request, and what the wave does next. How it waits for the host
// depends on how the kernel runs: see wave_epoch.wgsl and ../live/kernel/wgsl/live_wave.wgsl.
//
// The code is short rather than full of branches that skip work: a software adapter (SwiftShader)
// executes both sides of every branch, under a mask, and the body of a loop once more than it turns
// unless the loop ends at its end. So small things are selected, and conditions have no `&&`, which is a
// branch. The USES_ constants leave out what a kernel does not use.

struct WaveState {
  // The open port, and a port that was kept for the next call in the same dispatch; 0 for none,
  // else index + 1.
  port: u32,
  kept_port: u32,
  mask: vec2u,
  // What is left to do of the request: OP_ bits, and the opcode in the low half.
  pending: u32,
  flags: u32,
  // The stream that is under way: its next byte, and the longest of the lanes' lengths.
  cursor: u32,
  longest: u32,
}

struct LaneState {
  // What the lane does next: see KEY_ASKS.
  key: u32,
  step: u32,
  status: u32,
  stream_bytes: u32,
  sent_words: u32,
  // The key that the lane goes on with when what it has printed is on its way; 0 for none. Where it
  // PRINTS_AT_ONCE: bytes of its own stream meanwhile, plus 1.
  deferred: u32,
}

// A lane's key below KEY_ASKS is the number of the step to run. From KEY_ASKS on it is a request: OP_
// bits, and the opcode in the low half. A wave does next what its smallest key says, and all lanes
// with that key do it together.
const KEY_ASKS = 0x80000000u;
// Beyond the keys of all requests: lanes meet when those before it are answered.
const KEY_MEETS = 0xc0000000u;
// The lane does not take part in its wave's open port.
const KEY_WAITS = 0xfffffffeu;
const KEY_DONE = 0xffffffffu;

// The operations of a request. The lowest bit is done first.
const OP_OPEN = 0x10000u;
const OP_SEND = 0x20000u;
const OP_SEND_STREAM = 0x40000u;
const OP_RECV = 0x80000u;
const OP_RECV_STREAM = 0x100000u;
const OP_CLOSE = 0x200000u;
const OP_ALL = 0x3f0000u;
const OPCODE_BITS = 0xffffu;

const FLAGS_SHIFT = 29u;
const FLAG_RECEIVED = 1u;
const FLAG_CONTINUES = 2u;
// Our mailbox's value since the last send.
const FLAG_SENT_VALUE = 4u;

var<private> lane_index: u32;
var<private> wave_index: u32;
var<private> wave_slot: u32;
// The number of the running step, plus 1; otherwise 0.
var<private> running_step: u32;
var<private> frame: Frame;
var<private> lane: LaneState;
var<private> wave: WaveState;
// 0, or what the host is told of the lane, which has broken a rule: see readKernelError().
var<private> lane_error: u32;
// Whether the packet of the wave's port is ours, as it is until the first send of a dispatch.
var<private> owns: bool;
// Whether the wave has to wait for the host until the next dispatch; never where it spins instead.
var<private> blocked: bool;

fn in_mask(mask: vec2u, index: u32) -> bool {
  return ((select(mask.x, mask.y, index >= 32u) >> (index & 31u)) & 1u) == 1u;
}

fn memory_base() -> u32 {
  return (wave_index * LANE_COUNT + lane_index) * LANE_MEMORY_WORDS;
}

// Ends the lane because it or its wave broke a rule, which the host is told at the end of the dispatch.
fn lane_fail(code: u32) { lane_fail_if(true, code); }

fn lane_fail_if(is_wrong: bool, code: u32) {
  let step = min(running_step, ERROR_STEP_MAX);
  let error = (code << ERROR_CODE_SHIFT) | (step << ERROR_STEP_SHIFT) | wave_index;
  lane_error = select(lane_error, error, is_wrong);
  lane.key = select(lane.key, KEY_DONE, is_wrong);
}

// What the lanes agree on: the smallest key, the lanes that have it, and their longest stream.
struct Agreement { least: u32, mask: vec2u, longest: u32 }

fn takes_part() -> bool { return !IS_GROUP | in_mask(wave.mask, lane_index); }

// Whether this is the first lane that takes part.
fn is_first_lane() -> bool {
  let lo = wave.mask.x;
  let first = select(firstTrailingBit(lo), 32u + firstTrailingBit(wave.mask.y), lo == 0u);
  return !IS_GROUP | (lane_index == first);
}

// The lane's key, as the wave compares it.
fn lane_key() -> u32 {
  return select(lane.key, KEY_WAITS, (wave.port != 0u) & !takes_part());
}

// Chooses the request with the smallest key as the wave's next one.
fn wave_choose(least: u32, mask: vec2u, longest: u32) {
  let may_choose = !blocked & ((wave.pending & OP_ALL) == 0u);
  if USES_SESSIONS {
    // All lanes that take part in the port have finished without closing it.
    if may_choose & (least >= KEY_WAITS) & (wave.port != 0u) { wave.pending |= OP_CLOSE; }
  }
  if may_choose & (least >= KEY_ASKS) & (least < KEY_MEETS) {
    let opens = (least & OP_OPEN) != 0u;
    if !USES_SESSIONS || wave_allows(opens, mask) { wave_begin(least, opens, mask, longest); }
  }
}

fn wave_begin(request: u32, opens: bool, mask: vec2u, longest: u32) {
  wave.cursor = 0u;
  wave.longest = longest;
  if !USES_SESSIONS || opens {
    wave.pending = request & ~KEY_ASKS;
    wave.mask = mask;
    wave.flags = 0u;
    if in_mask(mask, lane_index) { lane.status = STATUS_OK; }
  } else {
    wave.pending |= request & OP_ALL;
  }
}

// Whether the request follows the rules. A wave that breaks one ends, because its lanes would wait for
// each other forever. Sends and receives of a call that the server has rejected are skipped, and
// reply_status() tells the reason.
fn wave_allows(opens: bool, mask: vec2u) -> bool {
  let is_open = wave.port != 0u;
  if is_open != opens && (opens || all(mask == wave.mask)) { return true; }
  if !is_open && lane.status != STATUS_OK {
    if in_mask(mask, lane_index) { lane.key = lane.step; }
    return false;
  }
  lane_fail(select(ERROR_NO_PORT_OPEN, select(ERROR_DIVERGED_IN_PORT, ERROR_PORT_ALREADY_OPEN, opens), is_open));
  if is_open && is_first_lane() { port_unlock(wave.port - 1u); }
  wave.port = 0u;
  return false;
}

// Whether the wave opens a port next, by the smallest key of its lanes; for kernels whose requests all
// begin with that.
fn wave_opens(least: u32) -> bool {
  let chooses = ((wave.pending & OP_ALL) == 0u) & (least >= KEY_ASKS) & (least < KEY_MEETS);
  return !blocked & (chooses | is_next(OP_OPEN));
}

// A barrier of the author's: the lane goes on when all lanes of its wave, but those that have ended, are here.
fn lanes_meet() { lane.key = select(lane.key, KEY_MEETS, lane.key < KEY_ASKS); }

fn is_next(operation: u32) -> bool {
  return (wave.pending & (OP_ALL & (2u * operation - 1u))) == operation;
}

fn wave_did(does: bool, operation: u32) { wave.pending &= select(0xffffffffu, ~operation, does); }

// How a lane tells the host of its failure, or of a call that was refused: the first of all lanes tells, with
// the steps that led to it, and gets true. Mirrors readFailure().
fn failure_tell(record: u32, error: u32, begins: u32) -> bool {
  if report_add(record) != 0u { return false; }
  report_put(record + 1u, error);
  report_put(record + FAILURE_LANE_WORD, lane_index);
  var step = begins;
  for (var depth = 0u; depth < FAILURE_CHAIN; depth++) {
    let is_last = step >= END || depth == FAILURE_CHAIN - 1u;
    report_put(record + FAILURE_CHAIN_WORD + depth, select(step + 1u, 0u, is_last));
    if is_last { break; }
    step = step_caller(step);
  }
  return true;
}

// For a lane that has broken a rule.
fn failure_report() {
  let step = (lane_error >> ERROR_STEP_SHIFT) & ERROR_STEP_MAX;
  let is_known = step != 0u && step != ERROR_STEP_MAX;
  let tells = failure_tell(REPORT_FAILURE_WORD, lane_error, select(END, step - 1u, is_known));
  if HAS_ASSERTS && tells {
    let values = REPORT_FAILURE_WORD + FAILURE_VALUES_WORD;
    for (var word = 0u; word < FAILURE_VALUES; word++) {
      report_put(values + word, lane_memory[memory_base() + word]);
    }
  }
}
