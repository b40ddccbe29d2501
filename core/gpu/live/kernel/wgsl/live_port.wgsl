// The client's side of a port for waves that run while Workers and servers use the same memory, as
// Mailboxes, OwnerLocks, Hints and Client.tryOpen() have it in TypeScript. All of it is for one lane of a
// wave, the first that takes part; each lane reads and writes its own words of the packet.
//
// Sync: `channel` is one of the buffers for which live_spirv.ts lets atomics acquire and release. So an
// exchange publishes every write before it, and whoever loads a value sees what was written before that
// value was: PROTOCOL.md, "Waves that run".

@group(0) @binding(0) var<storage, read_write> channel: array<atomic<u32>>;
// The same memory, for what only the owner of a packet or the holder of a lock touches.
@group(0) @binding(1) var<storage, read_write> payload: array<u32>;
// Words of the run: LIVE_ constants.
@group(0) @binding(2) var<storage, read_write> live: array<atomic<u32>>;

const NO_PORT = 0xffffffffu;
// Beyond the indices of ports: why a wave got none, in the low bits.
const LEAVES = 0x80000000u;

// What the lock words of this run's ports hold.
var<private> owner_id: u32;
// How often it looks while it waits.
var<private> rounds_max: u32;
// The port that the wave used last: waves stay apart while there are ports enough.
var<private> last_port: u32;
// How many packets this lane has given away, as the first of its wave.
var<private> sent_packets: u32;
// Where the wave PAUSES: rounds of this lane's loops in this dispatch, and of those that it has not entered,
// which run once; and of what the call under way has waited, in earlier dispatches.
var<private> loop_rounds: u32;
var<private> waited: u32;

// Sync: the drop releases our reads of the reply, and brings the marks of those who sleep until the port is
// free.
fn port_unlock(index: u32) { if side_unlock(index) { ring(); } }

fn report_put(word: u32, value: u32) { atomicStore(&live[word], value); }

fn report_add(word: u32) -> u32 { return atomicAdd(&live[word], 1u); }

// Asks the host to wake everybody, as a wave cannot notify.
fn ring() { atomicAdd(&live[LIVE_RING_WORD], 1u); }

// Why a wave has to end, 0 if it need not. `begins`: it is about to begin a call.
fn port_end(begins: bool, rounds: u32) -> u32 {
  let leave = atomicLoad(&live[LIVE_LEAVE_WORD]);
  if leave != 0u { return leave; }
  let state = atomicLoad(&channel[STATE_WORD]) & STATE_STOPPED;
  if state == STATE_STOPPED || (begins && state != 0u) { return END_STOPPED; }
  return select(0u, END_LATE, rounds >= rounds_max);
}

// For one lane: locks the port that the wave had last. Returns NO_PORT if that is not free, or `tries` is false.
fn port_try_last(tries: bool) -> u32 {
  var found = NO_PORT;
  if tries {
    // Before each call: who ends a program says so before it answers. wave_find_port() tells why.
    let ends = atomicLoad(&live[LIVE_LEAVE_WORD]) | (atomicLoad(&channel[STATE_WORD]) & STATE_STOPPED);
    if ends == 0u {
      if side_try_lock(last_port) {
        if side_owns(last_port) { found = last_port; } else { port_unlock(last_port); }
      }
    }
  }
  return found;
}

// For one lane, if its wave `finds` one: the port of a new call, or LEAVES and the reason; and no spares.
// Mirrors Client.open(). As each loop here, it ends at its end: a software adapter runs others once more.
fn wave_find_port(finds: bool) -> vec2u {
  var index = select(last_port, 0u, PORT_COUNT == 1u);
  var found = NO_PORT;
  var round = 0u;
  loop {
    if finds {
      var obstacle = 0u;
      if (round & LOOK_MASK) == 0u { obstacle = port_obstacle(true, round); }
      found = select(NO_PORT, LEAVES | obstacle, obstacle != 0u);
      if obstacle == 0u {
        if side_try_lock(index) {
          if side_owns(index) { found = index; } else { port_unlock(index); }
        }
      }
    }
    let next = select(index + 1u, 0u, index + 1u == PORT_COUNT);
    index = select(index, next, found == NO_PORT);
    round++;
    continuing { break if (found != NO_PORT) | !finds; }
  }
  return vec2u(found, 0u);
}

// Writes a header, each word only if it changes; the opcode includes CONTINUES after the first packet of a
// call.
fn port_write_header(index: u32, mask: vec2u, opcode: u32) {
  let word = HEADERS_WORD + index * HEADER_STRIDE;
  port_put(word, mask.x);
  port_put(word + 1u, mask.y);
  port_put(word + 2u, opcode);
  port_put(word + 3u, STATUS_OK);
}

fn port_put(word: u32, value: u32) {
  if payload[word] != value { payload[word] = value; }
}

fn port_status(index: u32) -> u32 { return payload[HEADERS_WORD + index * HEADER_STRIDE + 3u]; }

// Where a lane's words of the packet begin, in `payload`; each next one is WORD_STRIDE further.
fn packet_word(index: u32, lane: u32) -> u32 {
  return PACKETS_WORD + index * PACKET_STRIDE + lane * LANE_STRIDE;
}

// Mirrors ClientSide.giveAway(): turn, flip, hint. Returns our turn.
fn port_send(index: u32) -> u32 {
  let mine = side_give(index);
  side_mark(index, true);
  sent_packets++;
  return mine;
}

// Sends, and waits a moment for the answer: its status, and STATUS_NO_REPLY if there is none yet.
fn port_call(index: u32) -> u32 {
  let mine = port_send(index);
  var looks = 0u;
  var is_back = false;
  loop {
    is_back = port_is_back(index, mine);
    looks++;
    continuing { break if is_back | (looks > LOOK_MASK); }
  }
  return select(STATUS_NO_REPLY, port_status(index), is_back);
}

// Waits until the packet is ours again; returns 0, or why the wave has to end.
fn port_await(index: u32) -> u32 {
  let mine = side_turn(index);
  var outcome = 0u;
  var round = 0u;
  var is_back = false;
  loop {
    var looks = 0u;
    loop {
      is_back = port_is_back(index, mine);
      looks++;
      continuing { break if is_back | (looks > LOOK_MASK); }
    }
    round += looks;
    if !is_back {
      outcome = port_obstacle(false, round);
      // Sync: read-modify-writes of one word see each other in order, so that a server which clears the
      // hint after this one sees the flip, whatever order the device keeps between two words.
      if outcome == 0u { side_mark(index, false); }
      // A server may sleep in the middle of a call.
      if atomicLoad(&channel[SERVER_PARKED_WORD + index]) != 0u { ring(); }
    }
    continuing { break if is_back | (outcome != 0u); }
  }
  return outcome;
}
