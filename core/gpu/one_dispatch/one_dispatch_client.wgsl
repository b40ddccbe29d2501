// The clients of one dispatch. In each turn of a session the packet goes to the server and comes
// back. Two sends in a row are two turns of which the first has an empty answer; two receives in a
// row are two turns of which the second has an empty request.

// The lane's request: an opcode, and the flag NO_REPLY. Lanes with different requests have separate
// sessions, the smallest request first: those without a reply come last, so that the others do not wait
// for them.
var<private> request: u32;
var<private> has_request: bool;

// For the first lane: its successful sessions, and whether one had no reply.
var<private> answered: u32;
var<private> has_cast: bool;

// For client_fill(), in the first turn of a session: sets the opcode of the request; 0 by default.
fn call(opcode: u32) {
  if IS_KERNEL && request != NO_REQUEST { dispatch_fail(ERROR_SECOND_REQUEST); }
  if IS_KERNEL && opcode > OPCODE_MAX { dispatch_fail(ERROR_OPCODE_TOO_LARGE); }
  request = opcode & ~HEADER_FLAGS;
}

// For a kernel whose step has made no request.
const NO_REQUEST = 0xffffffffu;

// For client_fill(), in any turn, after call(): no answer is needed, and the session ends.
fn no_reply() { request |= NO_REPLY; }

fn client_run() {
  var goes_on = true;
  while goes_on { goes_on = client_call(); }
  client_end();
  if lane_index != 0u { return; }
  // Some adapters leave a loop after a number of rounds, whatever its condition.
  if goes_on { add_to_report(DISPATCH_CUT_OFF_WORD, 1u); }
  spins_left = dispatch.spins_max;
  if has_cast && !await_casts() { add_to_report(DISPATCH_LOST_WORD, 1u); }
  add_to_report(DISPATCH_CALLS_WORD, answered);
  add_to_report(DISPATCH_FINISHED_WORD, 1u);
}

// Runs one session of the lanes with the same request. Returns whether there was one and it succeeded.
fn client_call() -> bool {
  session_turn = 0u;
  spins_left = dispatch.spins_max;
  let calls = client_ask();
  if lane_index == 0u { client_open(); }
  var now = group_broadcast();
  loop {
    now = client_turn(now, calls);
    if !USES_TURNS || now.outcome != GOES_ON { break; }
    session_turn++;
    spins_left = dispatch.spins_max;
    if calls { client_fill(); }
  }
  return now.outcome == ENDED;
}

// Collects the lanes' requests. Returns whether this lane takes part in the session that begins.
fn client_ask() -> bool {
  if lane_index == 0u {
    group_store(MASK_PLACE, 0u);
    group_store(MASK_PLACE + 1u, 0u);
    group_store(LOST_PLACE, 0u);
    if USES_REQUESTS { group_store(REQUEST_PLACE, 0xffffffffu); }
  }
  group_barrier();
  if !has_request {
    request = 0u;
    has_request = client_fill();
  }
  if USES_REQUESTS {
    if has_request { group_min(REQUEST_PLACE, request); }
    group_barrier();
  }
  let calls = has_request && (!USES_REQUESTS || request == group_load(REQUEST_PLACE));
  if calls {
    has_request = false;
    group_or(MASK_PLACE + (lane_index >> 5u), 1u << (lane_index & 31u));
  }
  group_barrier();
  return calls;
}

fn client_turn(port: Broadcast, calls: bool) -> Broadcast {
  if port.port != NO_PORT && calls {
    lane_write(port.port, port.turn);
    if USES_REQUESTS { group_or(REQUEST_PLACE, request & NO_REPLY); }
  }
  group_barrier();
  if lane_index == 0u && port.port != NO_PORT { client_send(port.port, port.turn); }
  let answer = group_broadcast();
  if port.port != NO_PORT && calls && answer.outcome != ENDED {
    if answer.outcome == GOES_ON && lane_read(port.port, port.turn | ANSWER) { client_use(); }
    else { group_store(LOST_PLACE, 1u); }
    share_turn_wish();
  }
  group_barrier();
  if lane_index == 0u { client_close(answer); }
  return group_broadcast();
}

fn any_calls() -> bool {
  return (group_load(MASK_PLACE) | group_load(MASK_PLACE + 1u)) != 0u;
}

// The next four functions are for the first lane.
fn client_open() {
  broadcast.port = NO_PORT;
  if !any_calls() { return; }
  broadcast.port = open_port(wave_index, CLIENT_SIDE);
}

// Sends, and waits for the answer; the outcome ENDED means that there is none to wait for.
fn client_send(index: u32, turn: u32) {
  let mask = vec2u(group_load(MASK_PLACE), group_load(MASK_PLACE + 1u));
  var opcode = select(0u, CONTINUES, session_turn > 0u);
  if USES_REQUESTS { opcode |= group_load(REQUEST_PLACE); }
  header_write(index, turn, mask, opcode);
  atomicAdd(&channel[CLIENT_OUTBOX_WORD + index], 1u);
  if (opcode & NO_REPLY) != 0u {
    has_cast = true;
    broadcast.outcome = ENDED;
  } else {
    broadcast.outcome = select(LOST, GOES_ON, await_turn(SERVER_OUTBOX_WORD + index, turn, CLIENT_SIDE));
  }
}

fn client_close(port: Broadcast) {
  let went_well = port.port != NO_PORT && group_load(LOST_PLACE) == 0u;
  if went_well && any_wants_turn() {
    broadcast.turn = port.turn + 1u;
    broadcast.outcome = GOES_ON;
    return;
  }
  if went_well {
    unlock(CLIENT_LOCK_WORD + port.port);
    answered++;
  } else if any_calls() {
    add_to_report(DISPATCH_LOST_WORD, 1u);
  }
  broadcast.outcome = select(LOST, ENDED, went_well);
}

// Sync: waits until what was sent without a reply is served, before this client counts as finished;
// otherwise the servers could end first. Both counts only grow, and this lane wrote our own: so when
// the server's count has reached it, our packet was served, in whatever order words become visible.
fn await_casts() -> bool {
  for (var index = 0u; index < PORT_COUNT; index++) {
    let given = newest(CLIENT_OUTBOX_WORD + index);
    while bitcast<i32>(atomicLoad(&channel[SERVER_OUTBOX_WORD + index]) - given) < 0 {
      if spins_left == 0u { return false; }
      spins_left--;
    }
  }
  return true;
}
