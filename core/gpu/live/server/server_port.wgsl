// A wave as a server: what Server, Dispatch and ServerSide do for calls of one packet each way. All of it is
// for one lane of a wave, its first.
//
// Sync: `channel` is one of the buffers for which live_spirv.ts lets atomics acquire and release; packets and
// headers are plain, as in TypeScript. Flips and locks order them: PROTOCOL.md, "Waves that serve".

@group(0) @binding(0) var<storage, read_write> channel: array<atomic<u32>>;
// The same memory, for what only the owner of a packet or the holder of a lock touches.
@group(0) @binding(1) var<storage, read_write> payload: array<u32>;
// Words of the run: RUN_ constants.
@group(0) @binding(2) var<storage, read_write> live: array<atomic<u32>>;

const NO_PORT = 0xffffffffu;
// How many searches lie between two looks at what may end a wave, at most.
const SEARCHES_MAX = 64u;

// What the lock words of this run's ports hold.
var<private> owner_id: u32;
// Where the next search begins: behind the port that was served last.
var<private> next_port: u32;
var<private> served_count: u32;
var<private> refused_count: u32;
// How many searches are left until a look at what may end the wave, how many of the last ones found nothing, and
// whether the last one did.
var<private> searches_left: u32;
var<private> idle_count: u32;
var<private> has_found: bool;
// Whether the channel was being shut down when the last search began, which then looked at all ports.
var<private> is_stopping: bool;
// Rounds of this invocation's loops, where a device leaves these early.
var<private> loop_rounds: u32;
// What is rare is put off, as a software adapter runs it as often as the loop that has it: a port that was locked
// in vain, a call whose answer is an error, NO_PORT for none; and that somebody is to be woken.
var<private> lost_port: u32;
var<private> failed: Call;
var<private> rings: bool;

// A call whose port is locked. With another status than STATUS_OK nobody works on it.
struct Call { port: u32, mask: vec2u, opcode: u32, status: u32 }

// Asks the host to wake who marked a lock, as a wave cannot notify. A store: the host takes it by an exchange.
fn ring() { atomicStore(&live[RUN_RING_WORD], 1u); }

// A port that another server holds is no work, however long its handler takes.
fn looks_ready(index: u32) -> bool { return side_looks_owned(index) && !side_looks_locked(index); }

// Returns whether the wave has something left to do: it may go on where it paused.
fn wave_begin(index: u32) -> bool {
  let base = RUN_WAVES_WORD + index * WAVE_WORDS;
  let ended = atomicLoad(&live[base + WAVE_ENDED]);
  let has_begun = atomicExchange(&live[base + WAVE_STARTED], 1u) != 0u;
  owner_id = atomicLoad(&live[RUN_OWNER_ID_WORD]);
  // Waves stay apart while there are ports enough.
  let next = atomicLoad(&live[base + WAVE_NEXT]);
  next_port = select(next - 1u, index % PORT_COUNT, next == 0u);
  idle_count = atomicLoad(&live[base + WAVE_IDLE]);
  lost_port = NO_PORT;
  failed.port = NO_PORT;
  return !has_begun || ended == END_PAUSED;
}

fn wave_end(index: u32, reason: u32) {
  let base = RUN_WAVES_WORD + index * WAVE_WORDS;
  atomicStore(&live[base + WAVE_NEXT], next_port + 1u);
  atomicStore(&live[base + WAVE_IDLE], idle_count);
  atomicAdd(&live[base + WAVE_SERVED], served_count);
  atomicAdd(&live[base + WAVE_REFUSED], refused_count);
  atomicStore(&live[base + WAVE_ENDED], reason);
}

// Searches, and claims what it found; the call's port is NO_PORT if there was nothing, another server was quicker,
// or something rare is to be done first. Mirrors WorkSearch.tryClaim().
fn next_call(searches: bool) -> Call {
  var call = Call(NO_PORT, vec2u(0u, 0u), 0u, STATUS_OK);
  if searches & (searches_left > 0u) & (failed.port == NO_PORT) & !rings {
    let found = find_work(is_stopping);
    searches_left--;
    has_found = found != NO_PORT;
    idle_count = select(idle_count + 1u, 0u, has_found);
    if has_found {
      next_port = select(found + 1u, 0u, found + 1u == PORT_COUNT);
      if side_take_lock(found) {
        // Between the glance and the lock another server may have served the port.
        if side_owns(found) { call = call_at(found); } else { lost_port = found; }
      }
    }
  }
  return call;
}

// Does what was put off, and returns why the wave has to leave, 0 if it need not.
fn settle() -> u32 {
  if lost_port != NO_PORT {
    rings = side_unlock(lost_port) || rings;
    lost_port = NO_PORT;
  }
  if failed.port != NO_PORT {
    refuse(failed);
    failed.port = NO_PORT;
  }
  if rings { ring(); }
  rings = false;
  searches_left = SEARCHES_MAX;
  return obstacle();
}

fn obstacle() -> u32 {
  if loop_rounds > ROUNDS_PAUSE { return END_PAUSED; }
  let leave = atomicLoad(&live[RUN_LEAVE_WORD]);
  if leave != 0u { return leave; }
  let state = atomicLoad(&channel[STATE_WORD]) & STATE_STOPPED;
  if state == STATE_STOPPED { return END_STOPPED; }
  // What was sent before the shutdown is served first.
  if is_stopping && !has_found { return END_STOPPED; }
  is_stopping = state != 0u;
  let idle_max = atomicLoad(&live[RUN_IDLE_MAX_WORD]);
  return select(0u, END_IDLE, idle_max != 0u && idle_count >= idle_max);
}

// Reads the header of a port that was claimed. Mirrors Dispatch: what the client wrote is checked before
// anything is done with it.
fn call_at(index: u32) -> Call {
  let word = HEADERS_WORD + index * HEADER_WORDS;
  let mask = vec2u(payload[word], payload[word + 1u]);
  let opcode_word = payload[word + 2u];
  let opcode = opcode_word & ~OPCODE_FLAGS;
  var status = select(STATUS_UNHANDLED_OPCODE, STATUS_OK, is_served(opcode));
  if (status == STATUS_OK) & (opcode >= USER_OPCODE_FIRST) & ((opcode_word & FORM_BITS) != 0u) {
    status = STATUS_HANDLER_FAILED;
  }
  let is_bad = ((mask.x | mask.y) == 0u) | (((mask.x & ~LANES_LO) | (mask.y & ~LANES_HI)) != 0u);
  status = select(status, STATUS_BAD_MASK, is_bad);
  // Mirrors ServerSide.takeLate().
  let was_late = payload[SERVER_LATE_WORD + index];
  if was_late != 0u { payload[SERVER_LATE_WORD + index] = 0u; }
  let is_rest = (opcode_word & CONTINUES) != 0u;
  status = select(status, select(STATUS_OUT_OF_STEP, STATUS_CLIENT_LATE, was_late != 0u), is_rest);
  return Call(index, mask, opcode, status);
}

// Gives the packet back, unless the answer is an error. A client that sleeps until then is found by the run.
fn hand_back(call: Call, uses_beyond: bool) {
  let has_call = call.port != NO_PORT;
  let fails = uses_beyond | (call.status != STATUS_OK);
  if has_call & !fails {
    side_give(call.port);
    rings = side_unlock(call.port);
  }
  if has_call & fails { failed = call; }
  served_count += select(0u, 1u, has_call);
}

// Writes why a call failed, where its status has a text, and gives the packet back.
fn refuse(call: Call) {
  let fails_here = call.status == STATUS_OK;
  let status = select(call.status, STATUS_HANDLER_FAILED, fails_here);
  let header = HEADERS_WORD + call.port * HEADER_WORDS;
  refused_count++;
  payload[header + 3u] = status;
  let is_whole = (payload[header + 2u] & WHOLE_ERRORS) != 0u;
  let text = RUN_TEXTS_WORD + TEXT_WORDS * (select(2u, 0u, fails_here) + select(0u, 1u, is_whole));
  for (var word = 0u; word < select(0u, TEXT_WORDS, status == STATUS_HANDLER_FAILED); word++) {
    payload[PACKETS_WORD + call.port * PACKET_WORDS + word] = atomicLoad(&live[text + word]);
  }
  side_give(call.port);
  rings = side_unlock(call.port) || rings;
}
