// The client's side of a port, as Mailboxes, Headers and Client.tryOpen() have it in TypeScript.
// Every function is bounded. Those that search, lock, send and close are for one lane of a wave; each
// lane reads and writes its own words of the packet.
//
// A dispatch and the host never run at the same time. So client and server see each other's writes
// from one dispatch to the next, and no order is needed within a dispatch. Between two workgroups of
// one dispatch WGSL promises no order: its atomics are relaxed, and a barrier orders one workgroup
// only. So a port never goes from one wave to another within a dispatch: see port_may_lock().

// The client's mailboxes, locks and the report, at the words of layout.ts.
@group(0) @binding(0) var<storage, read_write> channel: array<atomic<u32>>;
// Headers and packets, from PAYLOAD_WORD on.
@group(0) @binding(1) var<storage, read_write> payload: array<u32>;

const NO_PORT = 0xffffffffu;

// A lock word of the device. The low half counts the waves that hold or try it: 0 when free. The high
// half has the epoch in which it was last unlocked.
const LOCK_HOLDERS = 0xffffu;

fn port_told(index: u32) -> u32 {
  return (epoch_params.told[index >> 4u][(index >> 2u) & 3u] >> ((index & 3u) * 8u)) & 0xffu;
}

fn port_inbox(index: u32) -> u32 { return port_told(index) & 1u; }

// How the last call that was returned has ended.
fn port_status(index: u32) -> u32 { return port_told(index) >> 1u; }

// Mirrors Mailboxes.owns().
fn port_owns(index: u32) -> bool {
  return port_inbox(index) == atomicLoad(&channel[CLIENT_OUTBOX_WORD + index]);
}

// Sync: a port that was unlocked in this dispatch is not locked again before the next one. Otherwise
// the new holder's packet words could reach memory before the old holder has read its reply, because
// an unlock orders nothing here.
fn port_may_lock(lock: u32, epoch: u32) -> bool {
  return ((lock & LOCK_HOLDERS) == 0u) & ((lock >> 16u) != (epoch & 0xffffu));
}

// Mirrors PortLocks.tryLock(). There are three ways, chosen by the option `lock`.
fn port_try_lock(index: u32, epoch: u32) -> bool {
  let word = CLIENT_LOCK_WORD + index;
  let seen = atomicLoad(&channel[word]);
  var locks = port_may_lock(seen, epoch);
  if locks {
    if LOCK_KIND == LOCK_FETCH_OR {
      let before = atomicOr(&channel[word], 1u);
      locks = port_may_lock(before, epoch);
      if !locks & ((before & LOCK_HOLDERS) == 0u) { atomicAnd(&channel[word], ~LOCK_HOLDERS); }
    } else if LOCK_KIND == LOCK_CAS {
      locks = atomicCompareExchangeWeak(&channel[word], seen, seen | 1u).exchanged;
    } else {
      locks = port_may_lock(atomicAdd(&channel[word], 1u), epoch);
      if !locks { atomicSub(&channel[word], 1u); }
    }
  }
  return locks;
}

// Mirrors PortLocks.unlock().
fn port_unlock(index: u32) {
  let epoch = epoch_params.epoch;
  let word = CLIENT_LOCK_WORD + index;
  if LOCK_KIND == LOCK_FETCH_ADD {
    // Others add to the word and take it back while we hold the lock: a store would lose that.
    let unlock_epoch = atomicLoad(&channel[word]) >> 16u;
    atomicAdd(&channel[word], (((epoch & 0xffffu) - unlock_epoch) << 16u) - 1u);
  } else {
    atomicStore(&channel[word], epoch << 16u);
  }
}

// Mirrors Client.tryOpen(): looks at up to `attempts` ports from `start` on. Who owns a port is the same
// before and after its lock, as only a wave that held it in this dispatch has changed that, and then it
// is not locked again.
fn port_try_open(start: u32, attempts: u32, epoch: u32) -> u32 {
  var index = start & (PORT_COUNT - 1u);
  if (PORT_COUNT & (PORT_COUNT - 1u)) != 0u { index = start % PORT_COUNT; }
  var found = NO_PORT;
  var left = attempts;
  loop {
    if (left > 0u) & port_owns(index) { if port_try_lock(index, epoch) { found = index; } }
    index = select(index + 1u, 0u, index + 1u == PORT_COUNT);
    left = select(0u, left - 1u, (left > 0u) & (found == NO_PORT));
    continuing { break if left == 0u; }
  }
  return found;
}

// Writes a header; the opcode includes CONTINUES after the first packet of a call.
fn port_write_header(index: u32, mask: vec2u, opcode: u32) {
  let word = HEADERS_WORD - PAYLOAD_WORD + index * HEADER_WORDS;
  payload[word] = mask.x;
  payload[word + 1u] = mask.y;
  payload[word + 2u] = opcode;
  payload[word + 3u] = STATUS_OK;
}

// Where a lane's words of the packet begin, in `payload`; each next one is WORD_STRIDE further.
fn packet_word(index: u32, lane: u32) -> u32 {
  return PACKETS_WORD - PAYLOAD_WORD + index * PACKET_WORDS + lane * LANE_STRIDE;
}

// Mirrors Mailboxes.toggle(). The host reads the word after the dispatch has ended, and that end also
// puts the packet before it.
fn port_toggle(index: u32, value: u32, epoch: u32) {
  atomicStore(&channel[CLIENT_OUTBOX_WORD + index], value);
  port_report(REPORT_SENT_BELOW_WORD + 32u - countLeadingZeros(index), epoch);
}

// Raises a flag of the report, unless it is already raised: if thousands of waves stored the same word,
// its cache line would move from core to core, though only the first store matters.
fn port_report(word: u32, epoch: u32) {
  if atomicLoad(&channel[word]) != epoch { atomicStore(&channel[word], epoch); }
}

fn report_put(word: u32, value: u32) { atomicStore(&channel[word], value); }

fn report_add(word: u32) -> u32 { return atomicAdd(&channel[word], 1u); }

// Mirrors ClientPort.tryRecv(): whether the packet is ours again. Its words are read in place. What the
// wave has sent is its own to know: the author's text may have written over the mailbox since.
fn port_try_recv(index: u32, sent_value: u32) -> bool {
  return port_inbox(index) == sent_value;
}
