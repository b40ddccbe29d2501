// How a wave runs in one dispatch, while the host serves it: where it has to wait, it spins. Each wave is a
// workgroup, so the first lane may wait while the others stand at a barrier.

// For each lane, room for the words of a packet, followed by its stream.
@group(0) @binding(3) var<storage, read_write> lane_memory: array<u32>;

// Functions that save a frame between epochs mention it.
struct SavedLane { frame: SavedFrame }
var<private> lane_states: array<SavedLane, 1>;

// The words of the last packet received that the kernel reads. A copy: once the port is closed, the packet
// is another client's.
var<private> replied: array<u32, REPLY_WORDS>;

var<workgroup> told: u32;

// Why the wave has to end; 0 while it need not.
var<private> ending: u32;

// Mirrors reply() of wave_epoch.wgsl.
fn reply(word: u32) -> u32 { return replied[min(word, REPLY_WORDS - 1u)]; }

fn wave_take_reply() {
  if !takes_part() { return; }
  let base = packet_word(wave.port - 1u, lane_index);
  for (var word = 0u; word < REPLY_WORDS; word++) { replied[word] = payload[base + word * WORD_STRIDE]; }
}

// What the first lane says, for all lanes. There is another barrier before the first lane says the next.
fn wave_tell(value: u32) -> u32 {
  if !IS_GROUP { return value; }
  if is_first_lane() { told = value; }
  workgroupBarrier();
  return told;
}

// All lanes have done with the packet what they wanted to. Sync: live_spirv.ts lets the barrier order
// buffers, too: what the first lane publishes next includes what the others wrote.
fn wave_meet() {
  if IS_GROUP { workgroupBarrier(); }
}

fn wave_run(order: u32) {
  wave_index = order;
  owner_id = atomicLoad(&live[LIVE_OWNER_ID_WORD]);
  rounds_max = atomicLoad(&live[LIVE_ROUNDS_MAX_WORD]);
  last_port = wave_index % PORT_COUNT;
  wave.mask = vec2u(1u, 0u);
  if lane_index == 0u { atomicAdd(&live[LIVE_STARTED_WORD], 1u); }
  // Some adapters leave a loop after a number of rounds, whatever its condition.
  var is_over = false;
  loop {
    lane_run();
    let agreement = wave_agree(lane_key());
    // No lane asks for anything: its steps may lead to each other for ever.
    if agreement.least < KEY_ASKS { wave_look(); }
    wave_choose(agreement.least, agreement.mask, agreement.longest);
    let opens = is_next(OP_OPEN);
    let index = wave_broadcast_port(opens).x;
    if opens { wave_take_port(index); }
    wave_operate();
    if ending != 0u { wave_leave(); }
    if agreement.least >= KEY_WAITS && wave.port == 0u {
      is_over = true;
      break;
    }
  }
  if lane_error != 0u { report_put(REPORT_ERROR_WORD, lane_error); }
  if sent_packets > 0u { atomicAdd(&live[LIVE_SENT_WORD], sent_packets); }
  if lane_index != 0u { return; }
  if !is_over { wave_report(END_CUT_OFF); }
  atomicAdd(&live[LIVE_FINISHED_WORD], 1u);
}

fn wave_look() {
  if is_first_lane() { ending = atomicLoad(&live[LIVE_LEAVE_WORD]); }
  ending = wave_tell(ending);
}

fn wave_take_port(index: u32) {
  if index >= LEAVES {
    ending = index & ~LEAVES;
    return;
  }
  wave.port = index + 1u;
  owns = true;
  wave_did(true, OP_OPEN);
}

// The lanes that asked go on with their next step.
fn wave_answered() {
  if !takes_part() || lane.key < KEY_ASKS || lane.key >= KEY_WAITS { return; }
  lane.key = lane.step;
  if BUFFERS_PRINTF { printf_done(); }
}

// Mirrors what ClientPort does when the packet comes back: a call that was refused is closed.
fn wave_await() {
  if is_first_lane() { ending = port_await(wave.port - 1u); }
  ending = wave_tell(ending);
  if ending != 0u { return; }
  owns = true;
  let status = port_status(wave.port - 1u);
  if status == STATUS_OK {
    if is_next(OP_RECV) { wave_take_reply(); }
    return;
  }
  let opcode = wave.pending & OPCODE_BITS;
  if is_first_lane() { wave_refused(status, opcode); }
  wave.pending = OP_CLOSE | opcode;
  if !takes_part() { return; }
  lane.status = status;
  printf_restore();
}

// The first refusal stays.
fn wave_refused(status: u32, opcode: u32) {
  atomicAdd(&live[LIVE_REFUSED_WORD], 1u);
  let refusal = (min(status, 0xffffu) << 16u) | opcode;
  _ = atomicCompareExchangeWeak(&live[LIVE_REFUSAL_WORD], 0u, refusal);
}

fn wave_give() {
  wave_meet();
  if is_first_lane() {
    let continues = select(0u, CONTINUES, (wave.flags & FLAG_CONTINUES) != 0u);
    port_write_header(wave.port - 1u, wave.mask, (wave.pending & OPCODE_BITS) | continues);
    port_send(wave.port - 1u);
  }
  wave.flags = FLAG_CONTINUES;
  owns = false;
}

// Mirrors ClientPort.close().
fn wave_close() {
  wave_meet();
  if is_first_lane() { port_unlock(wave.port - 1u); }
  wave.port = 0u;
  wave_did(true, OP_CLOSE);
}

// Ends the wave: it gives its port back, whoever has the packet.
fn wave_leave() {
  if is_first_lane() {
    if wave.port != 0u { port_unlock(wave.port - 1u); }
    wave_report(ending);
  }
  wave.port = 0u;
  wave.pending = 0u;
  ending = 0u;
  lane.key = KEY_DONE;
}

// The first reason stays, with the opcode of what the wave was about to do.
fn wave_report(reason: u32) {
  let ended = ((wave.pending & OPCODE_BITS) << 16u) | reason;
  _ = atomicCompareExchangeWeak(&live[LIVE_ENDED_WORD], 0u, ended);
  atomicAdd(&live[LIVE_LEFT_WORD], 1u);
}
