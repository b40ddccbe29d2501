// A kernel of steps as the client of one dispatch: each request is a session of one turn. Streams
// and exchanges of several packets, which need the host, are not available.

const END = 0xffffu;

var<private> frame: Frame;
var<private> next_step: u32;
var<private> replied: array<u32, CHECKSUM_INDEX>;

// Declared because functions that save a frame between epochs mention it.
struct SavedLane { frame: SavedFrame }
var<private> lane_states: array<SavedLane, 1>;

fn go(step: u32) {
  next_step = step;
  if CHECKS_STEPS && step >= STEP_COUNT && step != END {
    atomicStore(&channel[DISPATCH_BAD_STEP_WORD], (min(step, END - 1u) << 16u) | wave_index);
    dispatch_fail(ERROR_NO_SUCH_STEP);
    finish();
  }
}

fn finish() { next_step = END; }

fn cast_call(opcode: u32) {
  call(opcode);
  no_reply();
}

fn reply(word: u32) -> u32 { return replied[min(word, CHECKSUM_INDEX - 1u)]; }

fn reply_status() -> u32 { return STATUS_OK; }

fn client_fill() -> bool {
  request = NO_REQUEST;
  for (var count = 0u; count < dispatch.spins_max && request == NO_REQUEST && next_step < END; count++) {
    let step = next_step;
    next_step = step + 1u;
    running_step = next_step;
    run_step(step);
    running_step = 0u;
  }
  let asks = request != NO_REQUEST;
  // Its steps lead to each other endlessly.
  if !asks && next_step < END { add_to_report(DISPATCH_CUT_OFF_WORD, 1u); }
  return asks;
}

fn client_use() {
  for (var word = 0u; word < DATA_WORDS; word++) { replied[word] = packet[word]; }
}

fn client_end() {}
