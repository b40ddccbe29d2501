// Client and server in one dispatch: some workgroups serve, the others call.
//
// WGSL promises no order between workgroups: its atomics are relaxed and its barriers end at the
// workgroup. So nothing here rests on "written before the toggle": every word of a packet is an
// atomic, a lane's last word is a check over the others and over the number of the turn, and
// whoever takes a packet reads until the check is right. A word of an earlier turn cannot pass,
// because the turn is part of the check, and the turn itself comes from the mailbox, one word.
//
// Nor does it promise that two workgroups run at the same time. Every loop is bounded, and a bound
// that was reached is a result: "no progress on this adapter".

struct LiveParams {
  client_groups: u32,
  server_groups: u32,
  // How often a loop may look before it gives up.
  spins_max: u32,
  // For the author's functions: how many calls a wave is to make.
  calls_per_wave: u32,
}

// The channel at the words of layout.ts, packets included, and the report behind it.
@group(0) @binding(0) var<storage, read_write> channel: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> live: LiveParams;

const CHECK_PLACE = LANE_WORDS - 1u;

var<private> lane_index: u32;
// The number of this client's or server's workgroup among its kind.
var<private> wave_index: u32;
// What the author's functions read and write through packet_get() and packet_set().
var<private> packet: array<u32, CHECK_PLACE>;
var<private> spins_left: u32;
var<private> retries: u32;
var<private> answered: u32;

// What the first lane tells the others: written by it, read through group_shared().
struct Shared { port: u32, turn: u32, opcode: u32, goes_on: u32 }

var<workgroup> shared_mask: array<atomic<u32>, 2>;
var<workgroup> shared_lost: atomic<u32>;

// Calls that a server takes from one port before it looks behind it first.
const SERVES_IN_A_ROW = 64u;
const NO_PORT = 0xffffffffu;

// One call by the lanes that have one to make; says whether any had, and all went well.
fn client_call() -> bool {
  if lane_index == 0u {
    atomicStore(&shared_mask[0], 0u);
    atomicStore(&shared_mask[1], 0u);
    atomicStore(&shared_lost, 0u);
  }
  group_barrier();
  let calls = client_fill();
  if calls { atomicOr(&shared_mask[lane_index >> 5u], 1u << (lane_index & 31u)); }
  group_barrier();
  if lane_index == 0u { client_open(); }
  let port = group_shared();
  if port.port != NO_PORT && calls { lane_write(port.port, port.turn); }
  group_barrier();
  if lane_index == 0u && port.port != NO_PORT { client_give(port.port, port.turn); }
  let answer = group_shared();
  if port.port != NO_PORT && calls {
    if answer.goes_on == 1u && lane_read(port.port, port.turn | ANSWER) { client_use(); }
    else { atomicStore(&shared_lost, 1u); }
  }
  group_barrier();
  if lane_index == 0u { client_close(port.port); }
  return group_shared().goes_on == 1u;
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

fn client_give(index: u32, turn: u32) {
  let mask = vec2u(atomicLoad(&shared_mask[0]), atomicLoad(&shared_mask[1]));
  header_write(index, turn, mask, LIVE_OPCODE);
  atomicAdd(&channel[CLIENT_OUTBOX_WORD + index], 1u);
  told.goes_on = select(0u, 1u, await_answer(index, turn));
}

fn client_close(index: u32) {
  let went_well = index != NO_PORT && atomicLoad(&shared_lost) == 0u;
  if went_well {
    unlock(CLIENT_LOCK_WORD + index);
    answered++;
  } else if any_calls() {
    add_to_report(LIVE_LOST_WORD, 1u);
  }
  told.goes_on = select(0u, 1u, went_well);
}

fn server_open(start: u32) {
  atomicStore(&shared_lost, 0u);
  told.port = open_port(start, SERVER_SIDE);
  if told.port == NO_PORT { return; }
  if !header_read(told.port, told.turn) { atomicStore(&shared_lost, 1u); }
}

// Serves one call; says whether there was one, and all went well.
fn server_serve(start: u32) -> bool {
  if lane_index == 0u { server_open(start); }
  let port = group_shared();
  if port.port != NO_PORT && takes_part() && atomicLoad(&shared_lost) == 0u {
    if lane_read(port.port, port.turn) {
      serve(port.opcode);
      lane_write(port.port, port.turn | ANSWER);
    } else {
      atomicStore(&shared_lost, 1u);
    }
  }
  group_barrier();
  if lane_index == 0u {
    let went_well = port.port != NO_PORT && atomicLoad(&shared_lost) == 0u;
    if went_well {
      atomicAdd(&channel[SERVER_OUTBOX_WORD + port.port], 1u);
      unlock(SERVER_LOCK_WORD + port.port);
    }
    told.goes_on = select(0u, 1u, went_well);
  }
  return group_shared().goes_on == 1u;
}

// Roles go to workgroups in the order in which they begin to run, not by their numbers: then those
// that do run side by side are a server and its clients, whatever waits in a queue behind them.
@compute @workgroup_size(LANE_COUNT)
fn portlab_live(@builtin(local_invocation_index) local: u32) {
  lane_index = local;
  spins_left = live.spins_max;
  if lane_index == 0u { told.turn = atomicAdd(&channel[LIVE_STARTED_WORD], 1u); }
  let place = group_shared().turn;
  if place < live.server_groups {
    wave_index = place;
    var start = place;
    for (var served = 1u; server_serve(start); served++) {
      // The port that was served last is the likeliest to call again; now and then the search
      // begins behind it, so that no port is passed over for ever.
      start = group_shared().port + select(0u, 1u, served % SERVES_IN_A_ROW == 0u);
      spins_left = live.spins_max;
    }
  } else if place < live.server_groups + live.client_groups {
    wave_index = place - live.server_groups;
    while client_call() { spins_left = live.spins_max; }
    client_end();
    if lane_index == 0u {
      add_to_report(LIVE_CALLS_WORD, answered);
      add_to_report(LIVE_FINISHED_WORD, 1u);
    }
  }
  if retries > 0u { add_to_report(LIVE_RETRIES_WORD, retries); }
}
