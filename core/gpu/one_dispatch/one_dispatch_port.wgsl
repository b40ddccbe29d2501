// The ports of one dispatch. Checksums stand in for the order that WGSL does not promise: see
// one_dispatch.wgsl.

fn packet_get(word: u32) -> u32 { return packet[min(word, CHECKSUM_INDEX - 1u)]; }

fn packet_set(word: u32, value: u32) {
  if word >= DATA_WORDS {
    dispatch_fail(ERROR_WORD_BEYOND_PACKET);
    return;
  }
  packet[word] = value;
}

// Reports to the host that this wave broke a rule.
fn dispatch_fail(code: u32) {
  let step = min(running_step, ERROR_STEP_MAX);
  let report = (code << ERROR_CODE_SHIFT) | (step << ERROR_STEP_SHIFT) | wave_index;
  atomicStore(&channel[DISPATCH_ERROR_WORD], report);
}

// The newest value of a word. An atomic load may return an old one; a read-modify-write may not.
fn newest(word: u32) -> u32 { return atomicAdd(&channel[word], 0u); }

// Mirrors ownsBuffer(). Here a mailbox counts turns; its low bit is what the protocol has. The client
// owns the packet when both counts are equal, the server when the client's is one larger. `mine` has
// to be the newest count, because another wave of this side may have held the port before. `theirs`
// may be old: then it is too small, and the answer is "not yet".
fn owns_packet(is_client: bool, mine: u32, theirs: u32) -> bool {
  return theirs == select(mine + 1u, mine, is_client);
}

// How often a server looks at one port before it goes on to the next.
const SERVER_LOOKS = 64u;
const CLIENT_SIDE = true;
const SERVER_SIDE = false;

// Part of an answer's checksum, which makes it differ from that of the request in the same turn.
const ANSWER = 0x80000000u;

fn lane_word(index: u32) -> u32 { return PACKETS_WORD + index * PACKET_WORDS + lane_index * LANE_STRIDE; }

fn mix(sum: u32, value: u32) -> u32 { return (sum ^ value) * 16777619u + 0x9e3779b9u; }

fn checksum_of(turn: u32) -> u32 {
  var sum = mix(0x811c9dc5u, turn);
  for (var word = 0u; word < DATA_WORDS; word++) { sum = mix(sum, packet[word]); }
  return sum;
}

fn lane_write(index: u32, turn: u32) {
  let base = lane_word(index);
  for (var word = 0u; word < DATA_WORDS; word++) { atomicStore(&channel[base + word * WORD_STRIDE], packet[word]); }
  atomicStore(&channel[base + CHECKSUM_INDEX * WORD_STRIDE], checksum_of(turn));
}

// Reads the lane's words until they are those of the turn; false when the spins ran out.
fn lane_read(index: u32, turn: u32) -> bool {
  let base = lane_word(index);
  while spins_left > 0u {
    for (var word = 0u; word < DATA_WORDS; word++) { packet[word] = atomicLoad(&channel[base + word * WORD_STRIDE]); }
    if atomicLoad(&channel[base + CHECKSUM_INDEX * WORD_STRIDE]) == checksum_of(turn) { return true; }
    retries++;
    spins_left--;
  }
  return false;
}

// The header's checksum is in its status word, which one dispatch does not need.
fn header_checksum(turn: u32, mask: vec2u, opcode: u32) -> u32 {
  return mix(mix(mix(mix(0x811c9dc5u, turn), mask.x), mask.y), opcode);
}

// Without it, every session has the same mask and opcode.
const USES_HEADER = LANE_COUNT > 1u || USES_REQUESTS || USES_TURNS;

fn header_write(index: u32, turn: u32, mask: vec2u, opcode: u32) {
  if !USES_HEADER { return; }
  let word = HEADERS_WORD + index * HEADER_WORDS;
  // Leaves out what is the same for every wave: each atomic store costs a software adapter as much as
  // dozens of other instructions.
  if LANE_COUNT > 1u { atomicStore(&channel[word], mask.x); }
  if LANE_COUNT > 32u { atomicStore(&channel[word + 1u], mask.y); }
  atomicStore(&channel[word + 2u], opcode);
  atomicStore(&channel[word + 3u], header_checksum(turn, mask, opcode));
}

// For the first lane: reads the header of the turn into the workgroup's memory.
fn header_read(index: u32, turn: u32) -> bool {
  if !USES_HEADER {
    group_store(MASK_PLACE, 1u);
    return true;
  }
  let word = HEADERS_WORD + index * HEADER_WORDS;
  while spins_left > 0u {
    var mask = vec2u(1u, 0u);
    if LANE_COUNT > 1u { mask.x = atomicLoad(&channel[word]); }
    if LANE_COUNT > 32u { mask.y = atomicLoad(&channel[word + 1u]); }
    let opcode = atomicLoad(&channel[word + 2u]);
    if atomicLoad(&channel[word + 3u]) == header_checksum(turn, mask, opcode) {
      group_store(MASK_PLACE, mask.x);
      group_store(MASK_PLACE + 1u, mask.y);
      broadcast.opcode = opcode & ~HEADER_FLAGS;
      broadcast.flags = opcode & HEADER_FLAGS;
      return true;
    }
    retries++;
    spins_left--;
  }
  return false;
}

// Mirrors PortLocks.tryLock(). These locks need no epoch as those of port.wgsl do: a packet that is
// taken over too early does not pass its checksum.
fn try_lock(word: u32) -> bool {
  if LOCK_KIND == LOCK_FETCH_OR { return atomicOr(&channel[word], 1u) == 0u; }
  if LOCK_KIND == LOCK_CAS { return atomicCompareExchangeWeak(&channel[word], 0u, 1u).exchanged; }
  if atomicAdd(&channel[word], 1u) == 0u { return true; }
  atomicSub(&channel[word], 1u);
  return false;
}

fn unlock(word: u32) {
  if LOCK_KIND == LOCK_FETCH_ADD { atomicSub(&channel[word], 1u); } else { atomicStore(&channel[word], 0u); }
}

// For the first lane: locks a port whose packet is this side's, and notes the turn. Looks as often as
// there are spins left.
fn open_port(start: u32, is_client: bool) -> u32 {
  let my_word = select(SERVER_OUTBOX_WORD, CLIENT_OUTBOX_WORD, is_client);
  let their_word = select(CLIENT_OUTBOX_WORD, SERVER_OUTBOX_WORD, is_client);
  let lock_word = select(SERVER_LOCK_WORD, CLIENT_LOCK_WORD, is_client);
  var index = start % PORT_COUNT;
  // A server first looks several times at the port that called last: the next call most likely comes
  // there.
  var looks_left = select(SERVER_LOOKS, 0u, is_client);
  while spins_left > 0u {
    let seen = atomicLoad(&channel[my_word + index]);
    let theirs = atomicLoad(&channel[their_word + index]);
    if owns_packet(is_client, seen, theirs) && try_lock(lock_word + index) {
      let mine = newest(my_word + index);
      if owns_packet(is_client, mine, atomicLoad(&channel[their_word + index])) {
        broadcast.turn = mine + 1u;
        return index;
      }
      unlock(lock_word + index);
    }
    if looks_left > 0u { looks_left--; }
    else { index = select(index + 1u, 0u, index + 1u == PORT_COUNT); }
    spins_left--;
    if !is_client && clients_left() == 0u { return NO_PORT; }
  }
  return NO_PORT;
}

fn clients_left() -> u32 { return dispatch.client_groups - atomicLoad(&channel[DISPATCH_FINISHED_WORD]); }

fn add_to_report(word: u32, value: u32) { atomicAdd(&channel[word], value); }

fn takes_part() -> bool {
  let half = group_load(MASK_PLACE + (lane_index >> 5u));
  return ((half >> (lane_index & 31u)) & 1u) == 1u;
}

// For the first lane: waits until the other side's mailbox has reached the turn, as long as there are
// spins left. A server stops waiting when all clients have ended.
fn await_turn(word: u32, turn: u32, is_client: bool) -> bool {
  while spins_left > 0u {
    if atomicLoad(&channel[word]) == turn { return true; }
    if !is_client && clients_left() == 0u { return false; }
    spins_left--;
  }
  return false;
}
