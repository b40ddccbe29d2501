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
  // What the host tells of each port, in a byte: the server's mailbox, and above it the status of the
  // last call that was returned. No kernel can overwrite them, so no wave can mistake its own request
  // for the answer.
  told: array<vec4u, (PORT_COUNT + 15u) / 16u>,
}

@group(0) @binding(2) var<uniform> epoch_params: EpochParams;
@group(0) @binding(3) var<storage, read_write> wave_states: array<SavedWave>;
@group(0) @binding(4) var<storage, read_write> lane_states: array<SavedLane>;
// For each lane, the words of a packet that waits for a port, followed by its stream.
@group(0) @binding(5) var<storage, read_write> lane_memory: array<u32>;

const NO_SPARE = 0xffffffffu;

// Where the last packet received begins, in `payload`.
var<private> reply_word: u32;
// The first of the spares for the stream that is sent next.
var<private> wave_spares: u32;
// Whether the wave could take another turn, for this lane.
var<private> is_busy: bool;

// A word of the last packet received, below LANE_WORDS; beyond that, its last word. Only valid in the
// step after the request.
fn reply(word: u32) -> u32 {
  let told = payload[reply_word + min(word, LANE_WORDS - 1u) * WORD_STRIDE];
  return select(0u, told, lane.status == STATUS_OK);
}

// For one lane, if its wave `finds` a port for a new call: that port, and the first of the spares of its
// stream. The port is the kept one, if there is one, else the first that is free; where ports are scarce,
// others come before who had one. There is none if the stream finds no spares.
fn wave_find_port(finds: bool) -> vec2u {
  let is_scarce = epoch_params.scarce != 0u;
  let kept = select(wave.kept_port, 0u, is_scarce);
  let start = wave_index + select(0u, epoch_params.epoch * SEARCH_ATTEMPTS, is_scarce);
  let attempts = select(0u, SEARCH_ATTEMPTS, finds & (kept == 0u));
  let found = port_try_open(start, attempts, epoch_params.epoch);
  let index = select(kept - 1u, found, kept == 0u);
  var spare = 0u;
  if USES_STREAMS {
    if finds & (index != NO_PORT) { spare = stream_find_spares(index); }
    if (spare == NO_SPARE) & (kept == 0u) { port_unlock(index); }
  }
  return vec2u(select(index, NO_PORT, spare == NO_SPARE), spare);
}

fn wave_take_port(finds: bool, index: u32) {
  let takes = finds & (index != NO_PORT);
  blocked |= finds & !takes;
  wave.port = select(wave.port, index + 1u, takes);
  wave.kept_port = select(wave.kept_port, 0u, takes & (epoch_params.scarce == 0u));
  owns |= takes;
  wave_did(takes, OP_OPEN);
}

// `order` counts the waves of the dispatch in the order in which they run.
fn wave_run(order: u32) {
  let exists = order < epoch_params.window_waves;
  let place = order + epoch_params.rotation;
  let wrapped = select(0u, epoch_params.window_waves, place >= epoch_params.window_waves);
  wave_index = epoch_params.first_wave + place - wrapped;
  wave_load(exists);
  // What a lane has loaded is what the others read.
  if SHARES_MEMORY { workgroupBarrier(); }
  wave_operate(true);
  if HAS_TURNS {
    for (var turn = 0u; turn < TURNS_MAX; turn++) {
      wave_turn();
      if !group_goes_on(is_busy, turn) { break; }
    }
  } else {
    wave_turn();
  }
  if exists { wave_end_dispatch(); }
}

// Where a wave takes one turn, it may run as many steps in it as otherwise in all.
const RUN_STEPS_MAX = STEPS_MAX * (1u + (TURNS_MAX - 1u) * u32(!HAS_TURNS));

// Runs this lane's steps until it makes a request. There is no barrier inside, because lanes may be at
// different steps.
fn lane_run() {
  var runs = !blocked & ((wave.port == 0u) | takes_part()) & (lane.key < KEY_ASKS);
  var left = RUN_STEPS_MAX;
  loop {
    let step = select(END, lane.key, runs);
    lane.step = select(lane.step, step + 1u, runs);
    running_step = step + 1u;
    run_step(step);
    running_step = 0u;
    let next = select(lane.key, lane.step, runs & (lane.key == step));
    let ends = runs & (next >= STEP_COUNT) & (next < KEY_ASKS);
    lane.key = select(next, KEY_DONE, ends);
    if BUFFERS_PRINTF { if runs { printf_goes_first(); } }
    left--;
    runs &= (left > 0u) & (lane.key < KEY_ASKS);
    continuing { break if !runs; }
  }
}

// Runs the steps of the lanes up to a request of the wave, and carries that out.
fn wave_turn() {
  lane_run();
  let agreement = wave_agree(lane_key());
  // Sync: the lanes have met in workgroup memory, as they agreed; here what they wrote to buffers is ordered.
  if USES_BARRIERS {
    group_order();
    if agreement.least == KEY_MEETS { lane.key = select(lane.key, lane.step, lane.key == KEY_MEETS); }
  }
  wave_choose(agreement.least, agreement.mask, agreement.longest);
  let finds = !blocked & is_next(OP_OPEN);
  let found = wave_broadcast_port(finds);
  wave_spares = found.y;
  wave_take_port(finds, found.x);
  wave_operate(false);
  is_busy = !blocked & ((lane.key < KEY_WAITS) | (wave.port != 0u));
}

fn wave_end_dispatch() {
  if is_busy | blocked {
    let waits = select(REPORT_STARVED_WORD, REPORT_SUSPENDED_WORD, wave.port != 0u);
    port_report(select(waits, REPORT_LIMITED_WORD, is_busy), epoch_params.epoch);
  }
  if lane_error != 0u {
    atomicStore(&channel[REPORT_ERROR_WORD], lane_error);
    failure_report();
  }
  if is_first_lane() {
    // Those of earlier dispatches again, as the author's text may have written over them.
    if blocked & (wave.port != 0u) { wave_toggle(); }
    // Releases the kept port: the wave has finished, or used up its turns.
    if wave.kept_port != 0u { port_unlock(wave.kept_port - 1u); }
  }
  lane_save();
  if SHARES_MEMORY { shared_save(wave_index, lane_index, LANE_COUNT); }
  if lane_index == 0u { wave_save(); }
  if (epoch_params.tells_unfinished != 0u) & (lane.key < KEY_DONE) { wave_tell_unfinished(); }
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
  let works = !blocked & (wave.port != 0u);
  var gives = false;
  if USES_SESSIONS || !resumes { gives = wave_send(works); }
  if USES_STREAMS && !resumes {
    if works & owns & !gives & is_next(OP_SEND_STREAM) {
      wave_send_stream();
      gives = true;
    }
  }
  if USES_SESSIONS || resumes { gives |= wave_recv(works & !gives); }
  if USES_STREAMS {
    if works & owns & !gives & is_next(OP_RECV_STREAM) { gives = wave_recv_stream(); }
  }
  if USES_SESSIONS || USES_STREAMS || !resumes { wave_give(gives); }
  if USES_SESSIONS || USES_CASTS || resumes { wave_close(works); }
  blocked |= works & ((wave.pending & OP_ALL) != 0u);
  if USES_SESSIONS || USES_CASTS || resumes {
    if works & !blocked & takes_part() & (lane.key >= KEY_ASKS) & (lane.key < KEY_WAITS) {
      lane.key = lane.step;
      if BUFFERS_PRINTF { printf_done(); }
    }
  }
}

// Gives the packet to the server.
fn wave_give(gives: bool) {
  let index = max(wave.port, 1u) - 1u;
  if gives & is_first_lane() {
    var opcode = wave.pending & OPCODE_BITS;
    if USES_SESSIONS || USES_STREAMS {
      opcode |= select(0u, CONTINUES, (wave.flags & FLAG_CONTINUES) != 0u);
    }
    port_write_header(index, wave.mask, opcode);
  }
  let sent_value = select(FLAG_SENT_VALUE, 0u, port_inbox(index) == 1u);
  wave.flags = select(wave.flags, FLAG_CONTINUES | sent_value, gives);
  owns &= !gives;
  // A wave that waits does so at the end of the dispatch.
  if HAS_TURNS { if gives & is_first_lane() { wave_toggle(); } }
}

fn wave_toggle() { port_toggle(wave.port - 1u, wave_sent_value(), epoch_params.epoch); }

fn wave_sent_value() -> u32 { return select(0u, 1u, (wave.flags & FLAG_SENT_VALUE) != 0u); }

// Mirrors ClientPort.close(). A port whose packet is ours is kept for the wave's next call. The client
// never toggles here: it owns the packet, or the call was asynchronous and the port is free when the
// host has served it.
fn wave_close(works: bool) {
  let closes = works & is_next(OP_CLOSE);
  if USES_SESSIONS || USES_CASTS {
    if closes & !owns & is_first_lane() { port_unlock(wave.port - 1u); }
  }
  wave.kept_port = select(wave.kept_port, wave.port, closes & owns);
  wave.port = select(wave.port, 0u, closes);
  wave_did(closes, OP_CLOSE);
}

// How many spares the longest of the wave's streams needs.
fn stream_spares() -> u32 {
  return (LENGTH_WORDS + (wave.longest + 3u) / 4u - 1u) / LANE_WORDS;
}

// For one lane: the first of the spares for what its wave sends next, 0 if that needs none.
fn stream_find_spares(port: u32) -> u32 {
  let count = stream_spares();
  if (count == 0u) | ((wave.pending & OP_SEND_STREAM) == 0u) { return 0u; }
  return stream_take_spares(port, count);
}

// Takes spares for a stream, and tells the host whose they are. The counter begins at 0 in each epoch; a
// stream that finds too few spares waits for the next.
fn stream_take_spares(port: u32, count: u32) -> u32 {
  if atomicLoad(&channel[REPORT_TAKEN_SPARES_WORD]) >= SPARE_COUNT { return NO_SPARE; }
  let spare = atomicAdd(&channel[REPORT_TAKEN_SPARES_WORD], count);
  if spare >= SPARE_COUNT { return NO_SPARE; }
  let fits = count <= SPARE_COUNT - spare;
  payload[SPARE_OWNERS_WORD - PAYLOAD_WORD + spare] = select(0u, (count << 16u) | port, fits);
  return select(NO_SPARE, spare, fits);
}

// Mirrors sendStream(). The first packet begins with the length. A stream leaves with one dispatch: that
// packet on the port, the others in spares, packets behind those of the ports, from which the host goes on
// when the server asks for more.
fn wave_send_stream() {
  if takes_part() {
    let first = packet_word(wave.port - 1u, lane_index);
    payload[first] = lane.stream_bytes;
    payload[first + WORD_STRIDE] = 0u;
    let memory = memory_base() + LANE_WORDS + printf_own_words();
    let end = LENGTH_WORDS + (lane.stream_bytes + 3u) / 4u;
    for (var word = LENGTH_WORDS; word < end; word++) {
      let packet = word / LANE_WORDS;
      let index = select(PORT_COUNT + wave_spares + packet - 1u, wave.port - 1u, packet == 0u);
      let place = packet_word(index, lane_index) + (word % LANE_WORDS) * WORD_STRIDE;
      payload[place] = lane_memory[memory + word - LENGTH_WORDS];
    }
    lane.stream_bytes = 0u;
    printf_restore();
  }
  wave_did(true, OP_SEND_STREAM);
}
