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
// How many searches with a result lie between two looks at what may end a wave: a power of two, minus 1.
const LOOK_MASK = 63u;

// What the lock words of this run's ports hold.
var<private> owner_id: u32;
// Where the next search begins: behind the port that was served last.
var<private> next_port: u32;
var<private> served_count: u32;
var<private> refused_count: u32;
// How many searches there were, how many of the last ones found nothing, and whether the last one did.
var<private> search_count: u32;
var<private> idle_count: u32;
var<private> has_found: bool;
// Whether the channel was being shut down when the last search began, which then looked at all ports.
var<private> is_stopping: bool;

// A call whose port is locked. With another status than STATUS_OK nobody works on it.
struct Call { port: u32, mask: vec2u, opcode: u32, status: u32 }

// Asks the host to wake who marked a lock, as a wave cannot notify. A store: the host takes it by an exchange.
fn ring() { atomicStore(&live[RUN_RING_WORD], 1u); }

// A port that another server holds is no work, however long its handler takes.
fn looks_ready(index: u32) -> bool { return side_looks_owned(index) && !side_looks_locked(index); }

fn wave_begin(index: u32) {
  owner_id = atomicLoad(&live[RUN_OWNER_ID_WORD]);
  // Waves stay apart while there are ports enough.
  next_port = index % PORT_COUNT;
  atomicStore(&live[RUN_WAVES_WORD + index * WAVE_WORDS + WAVE_STARTED], 1u);
}

fn wave_end(index: u32, reason: u32) {
  let base = RUN_WAVES_WORD + index * WAVE_WORDS;
  atomicStore(&live[base + WAVE_SERVED], served_count);
  atomicStore(&live[base + WAVE_REFUSED], refused_count);
  atomicStore(&live[base + WAVE_ENDED], reason);
}

// Searches, and claims what it found; NO_PORT if there was nothing, or another server was quicker. Mirrors
// WorkSearch.tryClaim().
fn claim_work() -> u32 {
  let found = find_work(is_stopping);
  search_count++;
  has_found = found != NO_PORT;
  idle_count = select(idle_count + 1u, 0u, has_found);
  if !has_found { return NO_PORT; }
  next_port = select(found + 1u, 0u, found + 1u == PORT_COUNT);
  if !side_try_lock(found) { return NO_PORT; }
  // Between the glance and the lock another server may have served the port.
  if side_owns(found) { return found; }
  if side_unlock(found) { ring(); }
  return NO_PORT;
}

// Why the wave has to leave, 0 if it need not; before each search.
fn obstacle() -> u32 {
  if has_found && (search_count & LOOK_MASK) != 0u { return 0u; }
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
  var status = STATUS_OK;
  if !is_served(opcode) { status = STATUS_UNHANDLED_OPCODE; }
  else if opcode >= USER_OPCODE_FIRST && (opcode_word & FORM_BITS) != 0u { status = STATUS_HANDLER_FAILED; }
  if (mask.x | mask.y) == 0u || (mask.x & ~LANES_LO) != 0u || (mask.y & ~LANES_HI) != 0u {
    status = STATUS_BAD_MASK;
  }
  // Mirrors ServerSide.takeLate().
  let was_late = payload[SERVER_LATE_WORD + index];
  if was_late != 0u { payload[SERVER_LATE_WORD + index] = 0u; }
  if (opcode_word & CONTINUES) != 0u {
    status = select(STATUS_OUT_OF_STEP, STATUS_CLIENT_LATE, was_late != 0u);
  }
  return Call(index, mask, opcode, status);
}

// Writes why a call failed, where its status has a text, and gives the packet back. A client that sleeps until
// then is found by the run.
fn hand_back(call: Call, uses_beyond: bool) {
  let fails_here = uses_beyond && call.status == STATUS_OK;
  let status = select(call.status, STATUS_HANDLER_FAILED, fails_here);
  served_count++;
  if status != STATUS_OK {
    refused_count++;
    payload[HEADERS_WORD + call.port * HEADER_WORDS + 3u] = status;
  }
  // A loop of no round for most calls.
  let is_whole = (payload[HEADERS_WORD + call.port * HEADER_WORDS + 2u] & WHOLE_ERRORS) != 0u;
  let text = RUN_TEXTS_WORD + TEXT_WORDS * (select(2u, 0u, fails_here) + select(0u, 1u, is_whole));
  for (var word = 0u; word < select(0u, TEXT_WORDS, status == STATUS_HANDLER_FAILED); word++) {
    payload[PACKETS_WORD + call.port * PACKET_WORDS + word] = atomicLoad(&live[text + word]);
  }
  side_give(call.port);
  if side_unlock(call.port) { ring(); }
}
