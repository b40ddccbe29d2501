// The servers of one dispatch: each function answers its counterpart in one_dispatch_client.wgsl.

// After so many sessions a server begins its search at the next port.
const SERVES_IN_A_ROW = 64u;

fn server_run() {
  var start = wave_index;
  for (var served = 1u; server_serve(start); served++) {
    // The search begins at the port that was served last, because it most likely calls again. Now
    // and then it begins behind that port, so that every port has its turn.
    start = group_broadcast().port + select(0u, 1u, served % SERVES_IN_A_ROW == 0u);
  }
}

// Serves one session. Returns whether there was one and it succeeded.
fn server_serve(start: u32) -> bool {
  session_turn = 0u;
  spins_left = dispatch.spins_max;
  if lane_index == 0u { server_open(start); }
  var now = group_broadcast();
  loop {
    now = server_turn(now);
    if !USES_TURNS || now.outcome != GOES_ON { break; }
    session_turn++;
    spins_left = dispatch.spins_max;
  }
  return now.outcome == ENDED;
}

fn server_turn(port: Broadcast) -> Broadcast {
  if port.port != NO_PORT && takes_part() && group_load(LOST_PLACE) == 0u {
    if lane_read(port.port, port.turn) { lane_serve(port); }
    else { group_store(LOST_PLACE, 1u); }
  }
  group_barrier();
  if lane_index == 0u { server_send(port); }
  return group_broadcast();
}

fn lane_serve(port: Broadcast) {
  serve(port.opcode);
  // Sync: nobody reads an answer when there is no reply, so nobody waits for its words. They could
  // become visible after those of the next session on this port, and overwrite them.
  if (port.flags & NO_REPLY) == 0u { lane_write(port.port, port.turn | ANSWER); }
  share_turn_wish();
}

// The next three functions are for the first lane.
fn server_open(start: u32) {
  group_store(LOST_PLACE, 0u);
  broadcast.port = open_port(start, SERVER_SIDE);
  if broadcast.port == NO_PORT { return; }
  // The middle of a session that this side has already left is lost, too.
  if !header_read(broadcast.port, broadcast.turn) || (broadcast.flags & CONTINUES) != 0u {
    group_store(LOST_PLACE, 1u);
  }
}

fn server_send(port: Broadcast) {
  broadcast.outcome = LOST;
  if port.port == NO_PORT || group_load(LOST_PLACE) == 1u { return; }
  atomicAdd(&channel[SERVER_OUTBOX_WORD + port.port], 1u);
  if any_wants_turn() {
    server_await(port);
  } else {
    unlock(SERVER_LOCK_WORD + port.port);
    broadcast.outcome = ENDED;
  }
}

fn server_await(port: Broadcast) {
  let turn = port.turn + 1u;
  let has_come = await_turn(CLIENT_OUTBOX_WORD + port.port, turn, SERVER_SIDE);
  if has_come && header_read(port.port, turn) && (broadcast.flags & CONTINUES) != 0u {
    broadcast.turn = turn;
    broadcast.outcome = GOES_ON;
  } else {
    // The client has ended the session, or was stopped.
    add_to_report(DISPATCH_LOST_WORD, 1u);
  }
}
