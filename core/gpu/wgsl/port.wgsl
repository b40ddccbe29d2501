// The twin of the client's half of a port: Mailboxes, Headers and Client.tryOpen() in TypeScript.
// Every function is bounded. Those that search, lock, send and close are for one lane of a wave,
// its leader; packet words are each lane's own.
//
// A dispatch and the host never run at the same time, so a port changes hands at the ends of a
// dispatch only, and what was written before is visible after. Between two workgroups of one
// dispatch WGSL promises no such thing: its atomics are relaxed and its barriers end at the
// workgroup. So no packet is ever handed from one to the other: see port_may_take().

// Mailboxes, locks and the report, at the words that layout.ts gives them.
@group(0) @binding(0) var<storage, read_write> channel: array<atomic<u32>>;
// Headers and packets, from PAYLOAD_WORD on.
@group(0) @binding(1) var<storage, read_write> payload: array<u32>;

const NO_PORT = 0xffffffffu;

// A lock word of the device: who holds it in the low half (a count, 0 when free), the epoch in
// which it was last dropped in the high half.
const LOCK_HOLDERS = 0xffffu;

// Twin: Mailboxes.owns().
fn port_owns(index: u32) -> bool {
  let inbox = atomicLoad(&channel[SERVER_OUTBOX_WORD + index]);
  return inbox == atomicLoad(&channel[CLIENT_OUTBOX_WORD + index]);
}

// Sync: a port that was dropped in this very dispatch stays untaken until the next one. Taken at
// once, the new holder's packet words could reach memory before the old holder has read its reply:
// an unlock orders nothing here.
fn port_may_take(lock: u32, epoch: u32) -> bool {
  return (lock & LOCK_HOLDERS) == 0u && (lock >> 16u) != (epoch & 0xffffu);
}

// Twin: Mailboxes.tryLock(). Three ways to the same end, an axis of the scenario gpu_lock.
fn port_try_lock(index: u32, epoch: u32) -> bool {
  let word = CLIENT_LOCK_WORD + index;
  let glance = atomicLoad(&channel[word]);
  if !port_may_take(glance, epoch) { return false; }
  if LOCK_KIND == LOCK_FETCH_OR {
    let before = atomicOr(&channel[word], 1u);
    if port_may_take(before, epoch) { return true; }
    if (before & LOCK_HOLDERS) == 0u { atomicAnd(&channel[word], ~LOCK_HOLDERS); }
    return false;
  }
  if LOCK_KIND == LOCK_CAS {
    return atomicCompareExchangeWeak(&channel[word], glance, glance | 1u).exchanged;
  }
  let before = atomicAdd(&channel[word], 1u);
  if port_may_take(before, epoch) { return true; }
  atomicSub(&channel[word], 1u);
  return false;
}

// Twin: Mailboxes.unlock().
fn port_unlock(index: u32, epoch: u32) {
  let word = CLIENT_LOCK_WORD + index;
  if LOCK_KIND == LOCK_FETCH_ADD {
    // Others add and take back while we hold it: only a difference may be written.
    let stamp = atomicLoad(&channel[word]) >> 16u;
    atomicAdd(&channel[word], (((epoch & 0xffffu) - stamp) << 16u) - 1u);
  } else {
    atomicStore(&channel[word], epoch << 16u);
  }
}

// Twin: Client.tryOpen(): looks at up to `attempts` ports from `start` on.
fn port_try_open(start: u32, attempts: u32, epoch: u32) -> u32 {
  var index = start;
  for (var attempt = 0u; attempt < attempts; attempt++) {
    if port_try_lock(index, epoch) {
      if port_owns(index) { return index; }
      port_unlock(index, epoch);
    }
    index = select(index + 1u, 0u, index + 1u == PORT_COUNT);
  }
  return NO_PORT;
}

// Twin: Headers.begin() and Headers.markContinued().
fn port_write_header(index: u32, mask: vec2u, opcode: u32) {
  let word = HEADERS_WORD - PAYLOAD_WORD + index * HEADER_WORDS;
  payload[word] = mask.x;
  payload[word + 1u] = mask.y;
  payload[word + 2u] = opcode;
  payload[word + 3u] = STATUS_OK;
}

fn port_status(index: u32) -> u32 {
  return payload[HEADERS_WORD - PAYLOAD_WORD + index * HEADER_WORDS + 3u];
}

// Where a lane's 16 words of the packet begin, in `payload`.
fn packet_word(index: u32, lane: u32) -> u32 {
  return PACKETS_WORD - PAYLOAD_WORD + index * PACKET_WORDS + lane * LANE_WORDS;
}

// Twin: Mailboxes.toggle(). The host reads the word only after the dispatch has ended, which is
// also what orders the packet before it.
fn port_send(index: u32, epoch: u32) {
  let word = CLIENT_OUTBOX_WORD + index;
  atomicStore(&channel[word], atomicLoad(&channel[word]) ^ 1u);
  port_report(REPORT_SENT_BELOW_WORD + 32u - countLeadingZeros(index), epoch);
}

// Raises a flag of the report. Looked at first: thousands of waves that store the same word would
// pass its cache line around, and only the first store says anything.
fn port_report(word: u32, epoch: u32) {
  if atomicLoad(&channel[word]) != epoch { atomicStore(&channel[word], epoch); }
}

// Twin: ClientPort.tryRecv(): whether the packet is ours again. The words are read in place.
fn port_try_recv(index: u32) -> bool {
  return port_owns(index);
}

// Twin: ClientPort.close(). The client never toggles here: it owns the buffer, or the call was
// asynchronous and the port rests until the host has served it.
fn port_close(index: u32, epoch: u32) {
  port_unlock(index, epoch);
}
