// How a wave runs in one dispatch, while the host serves it: where it has to wait, it spins. Each wave is a
// workgroup, so the first lane may wait while the others stand at a barrier.

// For each lane, room for the words of a packet, followed by its stream.
@group(0) @binding(3) var<storage, read_write> lane_memory: array<u32>;

// The words of the last packet received that the kernel reads. A copy: once the port is closed, the packet
// is another client's.
var<private> replied: array<u32, REPLY_WORDS>;

// Why the wave has to end; 0 while it need not.
var<private> ending: u32;
// Whether it goes on in another dispatch.
var<private> is_paused: bool;

// Mirrors reply() of wave_epoch.wgsl.
fn reply(word: u32) -> u32 {
  return select(0u, replied[min(word, REPLY_WORDS - 1u)], lane.status == STATUS_OK);
}

// The words of a packet that the lane has set, and those of a reply. Few are moved one by one, which takes a
// software adapter less than a loop.
fn lane_fill(base: u32) {
  let memory = memory_base();
  let words = lane.sent_words;
  if SENT_WORDS <= 4u {
    if words > 0u { payload[base] = lane_memory[memory]; }
    if (SENT_WORDS > 1u) & (words > 1u) { payload[base + WORD_STRIDE] = lane_memory[memory + 1u]; }
    if (SENT_WORDS > 2u) & (words > 2u) { payload[base + 2u * WORD_STRIDE] = lane_memory[memory + 2u]; }
    if (SENT_WORDS > 3u) & (words > 3u) { payload[base + 3u * WORD_STRIDE] = lane_memory[memory + 3u]; }
  } else {
    for (var word = 0u; word < words; word++) { payload[base + word * WORD_STRIDE] = lane_memory[memory + word]; }
  }
  lane.sent_words = 0u;
}

fn lane_take_reply(base: u32) {
  if REPLY_WORDS == 1u {
    replied[0] = payload[base];
  } else {
    for (var word = 0u; word < REPLY_WORDS; word++) { replied[word] = payload[base + word * WORD_STRIDE]; }
  }
}

fn wave_take_reply() {
  if takes_part() { lane_take_reply(packet_word(wave.port - 1u, lane_index)); }
}

// Runs this lane's steps until it makes a request. There is no barrier inside, because lanes may be at
// different steps.
fn lane_run() {
  if (lane.key >= KEY_ASKS) | ((wave.port != 0u) & !takes_part()) { return; }
  var left = STEPS_MAX;
  loop {
    run_steps();
    lane.key = select(lane.key, KEY_DONE, (lane.key >= STEP_COUNT) & (lane.key < KEY_ASKS));
    if BUFFERS_PRINTF { printf_goes_first(); }
    left--;
    continuing { break if (lane.key >= KEY_ASKS) | (left == 0u); }
  }
}

fn wave_begins_step(step: u32) {
  lane.step = step + 1u;
  running_step = step + 1u;
}

// The step stays the one that errors are of: its request is carried out next.
fn wave_ends_step(step: u32) {
  lane.key = select(lane.key, lane.step, lane.key == step);
}

fn wave_run(order: u32) {
  wave_index = order;
  owner_id = atomicLoad(&live[LIVE_OWNER_ID_WORD]);
  rounds_max = atomicLoad(&live[LIVE_ROUNDS_MAX_WORD]);
  last_port = wave_index % PORT_COUNT;
  wave.mask = vec2u(1u, 0u);
  if !wave_begins() { return; }
  if !wave_is_whole() { ending = END_SPLIT; }
  // Some adapters leave a loop after a number of rounds, whatever its condition.
  var is_over = false;
  if ending != 0u { wave_leave(); }
  loop {
    // What is rare stands behind this loop: a software adapter runs it as often as the loop that has it.
    var agreement: Agreement;
    loop {
      lane_run();
      if PAUSES { lane_tells_rounds(); }
      agreement = wave_agree(lane_key());
      if PAUSES { if wave_pauses() { break; } }
      let goes_on = wave_call(agreement.least, agreement.mask) | wave_met(agreement.least);
      continuing { break if !goes_on; }
    }
    if PAUSES { if is_paused { break; } }
    // No lane asks for anything: its steps may lead to each other for ever.
    if agreement.least < KEY_ASKS { wave_look(); }
    wave_choose(agreement.least, agreement.mask, agreement.longest);
    let opens = is_next(OP_OPEN);
    let index = wave_broadcast_port(opens).x;
    if opens { wave_take_port(index); }
    wave_operate();
    if PAUSES {
      if ending == END_PAUSED {
        is_paused = true;
        break;
      }
    }
    if ending != 0u { wave_leave(); }
    if agreement.least >= KEY_WAITS && wave.port == 0u {
      is_over = true;
      break;
    }
  }
  if lane_error != 0u {
    report_put(REPORT_ERROR_WORD, lane_error);
    failure_report();
  }
  if sent_packets > 0u { atomicAdd(&live[LIVE_SENT_WORD], sent_packets); }
  if PAUSES { wave_keep(); }
  if is_paused || lane_index != 0u { return; }
  if !is_over { wave_report(END_CUT_OFF); }
  wave_tell_state(WAVE_ENDED);
  atomicAdd(&live[LIVE_FINISHED_WORD], 1u);
}

fn wave_tells_begin() {
  if lane_index == 0u {
    atomicAdd(&live[LIVE_STARTED_WORD], 1u);
    wave_tell_state(WAVE_RUNS);
  }
}

fn wave_tell_state(state: u32) { atomicStore(&live[LIVE_STATES_WORD + wave_index], state); }

var<private> wait_count: u32;

// For loops of the author's in which a wave waits for what another does: whether to go on waiting. If the run
// has to end, it is false, and the lane ends with its step. By what it tells, the host notices a run in which
// all waves wait for others, and some cannot begin, as a device does not run all waves at a time.
fn waits_for(other_wave: u32) -> bool {
  wait_count++;
  wave_tell_state((wait_count << WAVE_STATE_BITS) | min(WAVE_WAITS + other_wave, (1u << WAVE_STATE_BITS) - 1u));
  if atomicLoad(&live[LIVE_WAITS_WORD]) == 0u { atomicStore(&live[LIVE_WAITS_WORD], 1u); }
  let goes_on = atomicLoad(&live[LIVE_LEAVE_WORD]) == 0u;
  lane.key = select(KEY_DONE, lane.key, goes_on);
  return goes_on;
}

fn wave_look() {
  if is_first_lane() { ending = atomicLoad(&live[LIVE_LEAVE_WORD]); }
  ending = wave_tell(ending);
}

// Returns whether the lanes have met. A loop of barriers ends like one of calls.
fn wave_met(least: u32) -> bool {
  let have_met = USES_BARRIERS & (least == KEY_MEETS);
  if have_met {
    wave_meet();
    lane.key = select(lane.key, lane.step, lane.key == KEY_MEETS);
    wave_look();
    if ending != 0u { wave_leave(); }
  }
  return have_met;
}

fn wave_take_port(index: u32) {
  if index >= LEAVES {
    ending = index & ~LEAVES;
    return;
  }
  wave.port = index + 1u;
  last_port = index;
  owns = true;
  wave_did(true, OP_OPEN);
}

const PLAIN_CALL = KEY_ASKS | OP_OPEN | OP_SEND | OP_RECV | OP_CLOSE;

// Carries out a call of one packet, if the port that the wave had last is free and the answer comes soon.
// Returns whether it has; if not, nothing has happened, or the packet is sent and the rest is pending.
fn wave_call(least: u32, mask: vec2u) -> bool {
  let is_plain = (wave.port == 0u) & ((least & ~OPCODE_BITS) == PLAIN_CALL);
  if is_plain { wave.mask = mask; }
  let index = wave_last_port(is_plain);
  var has_answer = false;
  if index != NO_PORT {
    let takes = takes_part();
    if takes { lane_fill(packet_word(index, lane_index)); }
    wave_meet();
    var status = STATUS_NO_REPLY;
    if is_first_lane() {
      port_write_header(index, mask, least & OPCODE_BITS);
      status = port_call(index);
    }
    status = wave_tell(status);
    has_answer = status == STATUS_OK;
    if takes {
      lane.status = STATUS_OK;
      lane.key = select(lane.key, lane.step, has_answer);
      if has_answer { lane_take_reply(packet_word(index, lane_index)); }
    }
    wave_meet();
    if has_answer & is_first_lane() { port_unlock(index); }
    if !has_answer {
      wave.port = index + 1u;
      wave.pending = OP_RECV | OP_CLOSE | (least & OPCODE_BITS);
      wave.flags = FLAG_CONTINUES;
      owns = false;
    }
  }
  return has_answer;
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
  if is_first_lane() {
    wave_refused(status, opcode);
    failure_tell(REPORT_REFUSAL_WORD, opcode, lane.step);
  }
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
    _ = port_send(wave.port - 1u);
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
