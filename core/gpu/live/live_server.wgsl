// The serving half of a live dispatch: the mirror of live_client.wgsl.

// Sessions that a server takes from one port before it looks behind it first.
const SERVES_IN_A_ROW = 64u;

fn server_run() {
  var start = wave_index;
  for (var served = 1u; server_serve(start); served++) {
    // The port that was served last is the likeliest to call again; now and then the search
    // begins behind it, so that no port is passed over for ever.
    start = group_shared().port + select(0u, 1u, served % SERVES_IN_A_ROW == 0u);
  }
}

// Serves one session; says whether there was one, and all went well.
fn server_serve(start: u32) -> bool {
  session_turn = 0u;
  spins_left = live.spins_max;
  if lane_index == 0u { server_open(start); }
  var now = group_shared();
  loop {
    now = server_turn(now);
    if !USES_TURNS || now.outcome != GOES_ON { break; }
    session_turn++;
    spins_left = live.spins_max;
  }
  return now.outcome == ENDED;
}

fn server_turn(port: Shared) -> Shared {
  if port.port != NO_PORT && takes_part() && atomicLoad(&shared_lost) == 0u {
    if lane_read(port.port, port.turn) { lane_serve(port); }
    else { atomicStore(&shared_lost, 1u); }
  }
  group_barrier();
  if lane_index == 0u { server_give(port); }
  return group_shared();
}

fn lane_serve(port: Shared) {
  serve(port.opcode);
  // Sync: nobody reads an answer to a cast, so its words could arrive after those of the next
  // session on this port, and undo them.
  if (port.flags & NO_REPLY) == 0u { lane_write(port.port, port.turn | ANSWER); }
  tell_turn();
}

// The next three are for the first lane.
fn server_open(start: u32) {
  atomicStore(&shared_lost, 0u);
  told.port = open_port(start, SERVER_SIDE);
  if told.port == NO_PORT { return; }
  // The middle of a session that this side has left already: no author's function knows it.
  if !header_read(told.port, told.turn) || (told.flags & CONTINUES) != 0u {
    atomicStore(&shared_lost, 1u);
  }
}

fn server_give(port: Shared) {
  told.outcome = LOST;
  if port.port == NO_PORT || atomicLoad(&shared_lost) == 1u { return; }
  atomicAdd(&channel[SERVER_OUTBOX_WORD + port.port], 1u);
  if takes_turn() {
    server_await(port);
  } else {
    unlock(SERVER_LOCK_WORD + port.port);
    told.outcome = ENDED;
  }
}

fn server_await(port: Shared) {
  let turn = port.turn + 1u;
  let has_come = await_turn(CLIENT_OUTBOX_WORD + port.port, turn, SERVER_SIDE);
  if has_come && header_read(port.port, turn) && (told.flags & CONTINUES) != 0u {
    told.turn = turn;
    told.outcome = GOES_ON;
  } else {
    // The client has ended the session, or has been stopped.
    add_to_report(LIVE_LOST_WORD, 1u);
  }
}
