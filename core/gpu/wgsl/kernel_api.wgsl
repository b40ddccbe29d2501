// Functions for the steps of a kernel. A step makes at most one request, which is carried out when the
// step returns, before the next step runs. A step without a request is followed by the next one at
// once.

// Sends the packet and continues when the reply has arrived.
fn call(opcode: u32) { ask(OP_OPEN | OP_SEND | OP_RECV | OP_CLOSE, opcode); }

// Sends the packet and continues at once, without a reply. Client.cast() in TypeScript; `cast` is a
// reserved word of WGSL.
fn cast_call(opcode: u32) { ask(OP_OPEN | OP_SEND | OP_CLOSE, opcode); }

// Opens a port and sends the first packet of a longer exchange.
fn begin(opcode: u32) { ask(OP_OPEN | OP_SEND, opcode); }

// Sends another packet on the open port.
fn send() { ask(OP_SEND, 0u); }

// Waits for the next packet on the open port.
fn recv() { ask(OP_RECV, 0u); }

// Closes the open port.
fn close() { ask(OP_CLOSE, 0u); }

// Sends the lane's stream; continues with the one-packet reply.
fn call_with_stream(opcode: u32) {
  ask(OP_OPEN | OP_SEND_STREAM | OP_RECV | OP_CLOSE, opcode);
}

// Sends the lane's stream; continues when the stream of the answer has replaced it.
fn exchange_streams(opcode: u32) {
  ask(OP_OPEN | OP_SEND_STREAM | OP_RECV_STREAM | OP_CLOSE, opcode);
}

// Writes the lane's stream, which put() has filled, to the host's standard output; reply(0) is the
// number of bytes written.
fn print() { call_with_stream(OPCODE_WRITE_STDOUT); }

fn ask(operations: u32, opcode: u32) {
  let asks_again = lane.key >= KEY_ASKS;
  let is_large = opcode > OPCODE_BITS;
  let code = select(ERROR_OPCODE_TOO_LARGE, ERROR_SECOND_REQUEST, asks_again);
  lane_fail_if((asks_again | is_large) & (lane.key != KEY_DONE), code);
  lane.key = select(KEY_ASKS | operations | opcode, lane.key, asks_again | is_large);
}

// Says which step comes next, after the request if there is one. A loop goes back to an earlier step;
// END ends the lane.
fn go(step: u32) {
  lane.step = step;
  if CHECKS_STEPS && step >= STEP_COUNT && step != END {
    report_put(REPORT_BAD_STEP_WORD, (min(step, END - 1u) << 16u) | wave_index);
    lane_fail(ERROR_NO_SUCH_STEP);
  }
}

const END = 0xffffu;

// Ends this lane after its request. The rest of the step runs, but must not make a request.
fn finish() {
  lane.step = END;
  if lane.key < KEY_ASKS { lane.key = KEY_DONE; }
}

// Sets a word of the next packet, below LANE_WORDS. Beyond that are the packets of other lanes.
fn packet_set(word: u32, value: u32) {
  if word < LANE_WORDS {
    lane_memory[memory_base() + word] = value;
    lane.sent_words = max(lane.sent_words, word + 1u);
  } else {
    lane_fail(ERROR_WORD_BEYOND_PACKET);
  }
}

// How the last call ended: one of the STATUS_ constants.
fn reply_status() -> u32 { return lane.status; }

// The wave's column and row in a two-dimensional grid, from 0. The option `wavesAcross` is the length
// of a row.
fn wave_xy() -> vec2u { return vec2u(wave_index % WAVES_ACROSS, wave_index / WAVES_ACROSS); }
