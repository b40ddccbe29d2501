// How a wave runs over several epochs. In each dispatch it runs its steps until its lanes make
// requests, carries these out as far as possible without the host, saves its state, and ends. The next
// dispatch continues there.

struct EpochParams {
  // Counts dispatches from 1, over all runs of the kernel.
  epoch: u32,
  // How many waves run, and the first of them.
  window_waves: u32,
  first_wave: u32,
  // Not 0 when a wave found no port in the previous epoch.
  scarce: u32,
  // Waves from this one on have no saved state in this run.
  begun_below: u32,
  // The wave of the window that comes first. Changes while the first does not finish.
  rotation: u32,
  // Not 0 when the host asks for the first wave that has not finished.
  tells_unfinished: u32,
}

@group(0) @binding(2) var<uniform> epoch_params: EpochParams;
@group(0) @binding(3) var<storage, read_write> wave_states: array<SavedWave>;
@group(0) @binding(4) var<storage, read_write> lane_states: array<SavedLane>;
// For each lane, the words of a packet that waits for a port, followed by its stream.
@group(0) @binding(5) var<storage, read_write> lane_memory: array<u32>;

// Where the last packet received begins, in `payload`.
var<private> reply_word: u32;

fn wave_take_reply() { reply_word = packet_word(wave.port - 1u, lane_index); }

// A word of the last packet received, below LANE_WORDS; beyond that, its last word. Only valid in the
// step after the request.
fn reply(word: u32) -> u32 { return payload[reply_word + min(word, LANE_WORDS - 1u) * WORD_STRIDE]; }

// For the first lane: the port of a new call. That is the kept one, if there is one, else the first
// that is free.
fn wave_find_port() -> u32 {
  if wave.kept_port != 0u { return wave.kept_port - 1u; }
  let start = wave_index + select(0u, epoch_params.epoch * SEARCH_ATTEMPTS, epoch_params.scarce != 0u);
  return port_try_open(start % PORT_COUNT, SEARCH_ATTEMPTS, epoch_params.epoch);
}

fn wave_take_port(index: u32) {
  if index == NO_PORT {
    blocked = true;
    port_report(REPORT_STARVED_WORD, epoch_params.epoch);
    return;
  }
  wave.port = index + 1u;
  wave.kept_port = 0u;
  owns = true;
  wave.pending &= ~OP_OPEN;
}

// `order` counts the waves of the dispatch in the order in which they run.
fn wave_run(order: u32) {
  let exists = order < epoch_params.window_waves;
  wave_index = epoch_params.first_wave + (order + epoch_params.rotation) % epoch_params.window_waves;
  wave_load(exists);
  wave_barrier();
  wave_operate(true);
  var is_busy = false;
  var least = KEY_DONE;
  for (var turn = 0u; turn < TURNS_MAX; turn++) {
    lane_run();
    let agreement = wave_agree(lane_key());
    wave_choose(agreement.least, agreement.mask, agreement.longest);
    let finds = !blocked && is_next(OP_OPEN);
    let index = wave_broadcast_port(finds);
    if finds { wave_take_port(index); }
    wave_operate(false);
    least = agreement.least;
    is_busy = !blocked && (agreement.least < KEY_WAITS || wave.port != 0u);
    if !group_goes_on(is_busy, turn) { break; }
  }
  if exists {
    wave_end_dispatch(is_busy);
    if epoch_params.tells_unfinished != 0u && least < KEY_DONE { wave_tell_unfinished(); }
  }
}

fn wave_end_dispatch(is_busy: bool) {
  if is_busy { port_report(REPORT_LIMITED_WORD, epoch_params.epoch); }
  if blocked && wave.port != 0u { port_report(REPORT_SUSPENDED_WORD, epoch_params.epoch); }
  // Releases the kept port: the wave has finished, or used up its turns.
  if wave.kept_port != 0u && is_first_lane() { port_close(wave.kept_port - 1u); }
  lane_save();
  if lane_index == 0u { wave_save(); }
}

// The newest epoch has the largest value, and in it the first wave.
fn wave_tell_unfinished() {
  let value = ((epoch_params.epoch & 0xffffu) << 16u) | (0xffffu - wave_index);
  if atomicLoad(&channel[REPORT_UNFINISHED_WORD]) < value {
    atomicMax(&channel[REPORT_UNFINISHED_WORD], value);
  }
}

// Carries out the pending operations, up to the first that has to wait for the host. At most one of
// them sends the packet, because it belongs to the server after that. `resumes` says that it runs at
// the beginning of a dispatch, before the steps: a kernel that only makes plain calls receives and
// closes there and sends later, so the rest is left out of each.
fn wave_operate(resumes: bool) {
  if blocked || wave.port == 0u { return; }
  gives = false;
  if USES_SESSIONS || !resumes { if owns && is_next(OP_SEND) { wave_send(); } }
  if USES_STREAMS { if owns && is_next(OP_SEND_STREAM) { wave_send_stream(); } }
  if USES_SESSIONS || resumes { if owns && is_next(OP_RECV) { wave_recv(); } }
  if USES_STREAMS { if owns && is_next(OP_RECV_STREAM) { wave_recv_stream(); } }
  if USES_SESSIONS || USES_STREAMS || !resumes { if gives { wave_give(); } }
  if USES_SESSIONS || USES_CASTS || resumes { if is_next(OP_CLOSE) { wave_close(); } }
  blocked = (wave.pending & OP_ALL) != 0u;
  if !blocked && takes_part() && lane.key >= KEY_ASKS && lane.key < KEY_WAITS {
    lane.key = lane.step;
    if BUFFERS_PRINTF { printf_done(); }
  }
}

fn wave_give() {
  if is_first_lane() {
    let continues = select(0u, CONTINUES, (wave.flags & FLAG_CONTINUES) != 0u);
    port_write_header(wave.port - 1u, wave.mask, (wave.pending & OPCODE_BITS) | continues);
    port_send(wave.port - 1u, epoch_params.epoch);
  }
  wave.flags = FLAG_CONTINUES | select(FLAG_SENT_VALUE, 0u, port_inbox(wave.port - 1u) == 1u);
  owns = false;
}

// Mirrors ClientPort.close(). A port whose packet is ours is kept for the wave's next call, unless
// other waves found none.
fn wave_close() {
  let keeps = owns && epoch_params.scarce == 0u;
  if is_first_lane() && !keeps { port_close(wave.port - 1u); }
  wave.kept_port = select(0u, wave.port, keeps);
  wave.port = 0u;
  wave_did(OP_CLOSE);
}
