// How a kernel calls the host where lanes need not be brought together: a wave is one lane, or a subgroup, of
// which the lanes that come to a call at the same time make it together. So the author's functions run as they
// are written, and those of the host are made of these. Mirrors Client.call() and Client.cast().

// The port of a call, and where the lane's words of its packet begin.
var<private> direct_port: u32;
var<private> direct_base: u32;
// Of the calls that this lane made as the first: how many were refused, and the first of them.
var<private> direct_refused: u32;
var<private> direct_refusal: u32;
// Why the lane had to end, and in the high half what it was about to call; 0 while it goes on.
var<private> direct_end: u32;

// Whether the lane has ended: then its functions return, one after the other, and it calls nobody.
fn direct_ended() -> bool {
  direct_check();
  return (direct_end != 0u) | (lane.key == KEY_DONE);
}

// Opens a port for the lanes that are here. Returns whether this lane has a packet to fill.
fn direct_opens(opcode: u32) -> bool {
  let calls = !direct_ended();
  wave.mask = wave_lanes(calls);
  let found = wave_tell(wave_find_port(calls & is_first_lane()).x);
  let has_port = calls & (found < LEAVES);
  direct_end = select(direct_end, (opcode << 16u) | (found & 0xffffu), calls & !has_port);
  last_port = select(last_port, found, has_port);
  // A place that is known beforehand takes a software adapter less.
  direct_port = select(found, 0u, PORT_COUNT == 1u);
  direct_base = packet_word(direct_port, lane_index);
  return has_port;
}

fn direct_set(word: u32, value: u32) { payload[direct_base + word * WORD_STRIDE] = value; }

fn direct_get(word: u32) -> u32 { return payload[direct_base + word * WORD_STRIDE]; }

// Sends the packet, to which there is no answer.
fn direct_casts(opcode: u32) -> bool {
  wave_meet();
  if is_first_lane() {
    port_write_header(direct_port, wave.mask, opcode);
    _ = port_send(direct_port);
  }
  lane.status = STATUS_OK;
  return false;
}

// Sends the packet, and waits. Returns whether it has an answer.
fn direct_calls(opcode: u32) -> bool {
  wave_meet();
  var status = STATUS_OK;
  var reason = 0u;
  if is_first_lane() {
    port_write_header(direct_port, wave.mask, opcode);
    _ = port_send(direct_port);
    reason = port_await(direct_port);
    status = port_status(direct_port);
    if (reason == 0u) & (status != STATUS_OK) {
      direct_refused++;
      if direct_refused == 1u { direct_refusal = (min(status, 0xffffu) << 16u) | opcode; }
    }
  }
  reason = wave_tell(reason);
  lane.status = wave_tell(status);
  direct_end = select(0u, (opcode << 16u) | reason, reason != 0u);
  return (reason == 0u) & (lane.status == STATUS_OK);
}

fn direct_closes() {
  wave_meet();
  if is_first_lane() { port_unlock(direct_port); }
}

fn direct_run(order: u32) {
  wave_index = order;
  owner_id = atomicLoad(&live[LIVE_OWNER_ID_WORD]);
  rounds_max = atomicLoad(&live[LIVE_ROUNDS_MAX_WORD]);
  last_port = wave_index % PORT_COUNT;
  running_step = 1u;
  wave_tells_begin();
  if wave_is_whole() { kernel(); } else { direct_end = END_SPLIT; }
  direct_check();
  if lane_error != 0u {
    report_put(REPORT_ERROR_WORD, lane_error);
    failure_report();
  }
  if sent_packets > 0u { atomicAdd(&live[LIVE_SENT_WORD], sent_packets); }
  if direct_refused > 0u {
    atomicAdd(&live[LIVE_REFUSED_WORD], direct_refused);
    _ = atomicCompareExchangeWeak(&live[LIVE_REFUSAL_WORD], 0u, direct_refusal);
  }
  // The lanes of a wave may have left apart.
  wave.mask = wave_lanes(true);
  let end = wave_most(direct_end);
  if lane_index != 0u { return; }
  if end != 0u {
    _ = atomicCompareExchangeWeak(&live[LIVE_ENDED_WORD], 0u, end);
    atomicAdd(&live[LIVE_LEFT_WORD], 1u);
  }
  wave_tell_state(WAVE_ENDED);
  atomicAdd(&live[LIVE_FINISHED_WORD], 1u);
}
