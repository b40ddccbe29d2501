// The calling half of a live dispatch. A session is one turn or several: the packet goes to the
// server and comes back. A send after a send is a turn whose answer says nothing, a receive after
// a receive is a turn that asks nothing, as they are on the wire of every port.

// What the lane asks for: an opcode, and NO_REPLY. Lanes that ask for different things go apart,
// low ones first, so that answers are not held up by what needs none.
var<private> request: u32;
var<private> has_request: bool;
var<workgroup> shared_request: atomic<u32>;

// The first lane's.
var<private> answered: u32;
var<private> has_cast: bool;

// For client_fill(), on a session's first turn: what the server is asked for; 0 when not said.
fn call(opcode: u32) { request = opcode & ~HEADER_FLAGS; }

// For client_fill(), on any turn, after call(): nobody waits for an answer, and the session ends.
fn no_reply() { request |= NO_REPLY; }

fn client_run() {
  while client_call() {}
  client_end();
  if lane_index != 0u { return; }
  spins_left = live.spins_max;
  if has_cast && !await_casts() { add_to_report(LIVE_LOST_WORD, 1u); }
  add_to_report(LIVE_CALLS_WORD, answered);
  add_to_report(LIVE_FINISHED_WORD, 1u);
}

// One session by the lanes that ask for the same; says whether there was one, and all went well.
fn client_call() -> bool {
  session_turn = 0u;
  spins_left = live.spins_max;
  let calls = client_ask();
  if lane_index == 0u { client_open(); }
  var now = group_shared();
  loop {
    now = client_turn(now, calls);
    if !USES_TURNS || now.outcome != GOES_ON { break; }
    session_turn++;
    spins_left = live.spins_max;
    if calls { client_fill(); }
  }
  return now.outcome == ENDED;
}

// Asks the lanes for their requests; says whether this lane's is in the session that begins.
fn client_ask() -> bool {
  if lane_index == 0u {
    atomicStore(&shared_mask[0], 0u);
    atomicStore(&shared_mask[1], 0u);
    atomicStore(&shared_lost, 0u);
    if USES_REQUESTS { atomicStore(&shared_request, 0xffffffffu); }
  }
  group_barrier();
  if !has_request {
    request = 0u;
    has_request = client_fill();
  }
  if USES_REQUESTS {
    if has_request { atomicMin(&shared_request, request); }
    group_barrier();
  }
  let calls = has_request && (!USES_REQUESTS || request == atomicLoad(&shared_request));
  if calls {
    has_request = false;
    atomicOr(&shared_mask[lane_index >> 5u], 1u << (lane_index & 31u));
  }
  group_barrier();
  return calls;
}

fn client_turn(port: Shared, calls: bool) -> Shared {
  if port.port != NO_PORT && calls {
    lane_write(port.port, port.turn);
    if USES_REQUESTS { atomicOr(&shared_request, request & NO_REPLY); }
  }
  group_barrier();
  if lane_index == 0u && port.port != NO_PORT { client_give(port.port, port.turn); }
  let answer = group_shared();
  if port.port != NO_PORT && calls && answer.outcome != ENDED {
    if answer.outcome == GOES_ON && lane_read(port.port, port.turn | ANSWER) { client_use(); }
    else { atomicStore(&shared_lost, 1u); }
    tell_turn();
  }
  group_barrier();
  if lane_index == 0u { client_close(answer); }
  return group_shared();
}

fn any_calls() -> bool {
  return (atomicLoad(&shared_mask[0]) | atomicLoad(&shared_mask[1])) != 0u;
}

// The next four are for the first lane.
fn client_open() {
  told.port = NO_PORT;
  if !any_calls() { return; }
  told.port = open_port(wave_index, CLIENT_SIDE);
}

// Sends; ENDED here means that no answer is waited for.
fn client_give(index: u32, turn: u32) {
  let mask = vec2u(atomicLoad(&shared_mask[0]), atomicLoad(&shared_mask[1]));
  var opcode = select(0u, CONTINUES, session_turn > 0u);
  if USES_REQUESTS { opcode |= atomicLoad(&shared_request); }
  header_write(index, turn, mask, opcode);
  atomicAdd(&channel[CLIENT_OUTBOX_WORD + index], 1u);
  if (opcode & NO_REPLY) != 0u {
    has_cast = true;
    told.outcome = ENDED;
  } else {
    told.outcome = select(LOST, GOES_ON, await_turn(SERVER_OUTBOX_WORD + index, turn, CLIENT_SIDE));
  }
}

fn client_close(port: Shared) {
  let went_well = port.port != NO_PORT && atomicLoad(&shared_lost) == 0u;
  if went_well && takes_turn() {
    told.turn = port.turn + 1u;
    told.outcome = GOES_ON;
    return;
  }
  if went_well {
    unlock(CLIENT_LOCK_WORD + port.port);
    answered++;
  } else if any_calls() {
    add_to_report(LIVE_LOST_WORD, 1u);
  }
  told.outcome = select(LOST, ENDED, went_well);
}

// Sync: what was cast is served before its client counts as finished, or the servers could leave
// first. Counts only grow, and our own were counted up by this very lane: whatever order the words
// arrive in, a server's count that is as far has our packet behind it.
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
