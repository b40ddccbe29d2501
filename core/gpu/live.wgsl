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

var<workgroup> shared_port: u32;
var<workgroup> shared_turn: u32;
var<workgroup> shared_opcode: u32;
var<workgroup> shared_mask: array<atomic<u32>, 2>;
var<workgroup> shared_calls: atomic<u32>;
var<workgroup> shared_lost: atomic<u32>;
var<workgroup> goes_on: u32;

const NO_PORT = 0xffffffffu;

// One call by the lanes that have one to make; says whether any had, and all went well.
fn client_call() -> bool {
  if lane_index == 0u {
    atomicStore(&shared_mask[0], 0u);
    atomicStore(&shared_mask[1], 0u);
    atomicStore(&shared_lost, 0u);
    shared_port = NO_PORT;
  }
  workgroupBarrier();
  let calls = client_fill();
  if calls { atomicOr(&shared_mask[lane_index >> 5u], 1u << (lane_index & 31u)); }
  workgroupBarrier();
  let mask = vec2u(atomicLoad(&shared_mask[0]), atomicLoad(&shared_mask[1]));
  if lane_index == 0u && any(mask != vec2u(0u)) {
    shared_port = open_port(wave_index, CLIENT_LOCK_WORD, true);
    if shared_port != NO_PORT { shared_turn = newest(CLIENT_OUTBOX_WORD + shared_port) + 1u; }
  }
  let index = workgroupUniformLoad(&shared_port);
  let turn = workgroupUniformLoad(&shared_turn);
  if index != NO_PORT && calls { lane_write(index, turn); }
  workgroupBarrier();
  if index != NO_PORT && lane_index == 0u {
    header_write(index, turn, mask, LIVE_OPCODE);
    atomicAdd(&channel[CLIENT_OUTBOX_WORD + index], 1u);
    shared_turn = await_answer(index);
  }
  let answer_turn = workgroupUniformLoad(&shared_turn);
  if index != NO_PORT && calls {
    if answer_turn != NO_PORT && lane_read(index, answer_turn | ANSWER) { client_use(); }
    else { atomicStore(&shared_lost, 1u); }
  }
  workgroupBarrier();
  if lane_index == 0u {
    let went_well = index != NO_PORT && atomicLoad(&shared_lost) == 0u;
    if went_well {
      unlock(CLIENT_LOCK_WORD + index);
      add_to_report(LIVE_CALLS_WORD, 1u);
    } else if any(mask != vec2u(0u)) {
      add_to_report(LIVE_LOST_WORD, 1u);
    }
    goes_on = select(0u, 1u, went_well);
  }
  return workgroupUniformLoad(&goes_on) == 1u;
}

// For the leader: the turn of the answer once the packet has come back, or NO_PORT.
fn await_answer(index: u32) -> u32 {
  while spins_left > 0u {
    if looks_clients(index) { return newest(SERVER_OUTBOX_WORD + index); }
    spins_left--;
  }
  return NO_PORT;
}

// Serves one call; says whether there was one, and all went well.
fn server_serve(start: u32) -> bool {
  if lane_index == 0u {
    atomicStore(&shared_lost, 0u);
    shared_port = open_port(start, SERVER_LOCK_WORD, false);
    if shared_port != NO_PORT {
      shared_turn = newest(CLIENT_OUTBOX_WORD + shared_port);
      if !header_read(shared_port, shared_turn) { atomicStore(&shared_lost, 1u); }
    }
  }
  let index = workgroupUniformLoad(&shared_port);
  let turn = workgroupUniformLoad(&shared_turn);
  let opcode = workgroupUniformLoad(&shared_opcode);
  if index != NO_PORT && takes_part() && atomicLoad(&shared_lost) == 0u {
    if lane_read(index, turn) {
      serve(opcode);
      lane_write(index, server_turn(index) | ANSWER);
    } else {
      atomicStore(&shared_lost, 1u);
    }
  }
  workgroupBarrier();
  if lane_index == 0u {
    let went_well = index != NO_PORT && atomicLoad(&shared_lost) == 0u;
    if went_well {
      atomicAdd(&channel[SERVER_OUTBOX_WORD + index], 1u);
      unlock(SERVER_LOCK_WORD + index);
    }
    goes_on = select(0u, 1u, went_well);
  }
  return workgroupUniformLoad(&goes_on) == 1u;
}

// The number of the answer. Only this workgroup writes the word while it has the lock.
fn server_turn(index: u32) -> u32 { return newest(SERVER_OUTBOX_WORD + index) + 1u; }

// Roles go to workgroups in the order in which they begin to run, not by their numbers: then those
// that do run side by side are a server and its clients, whatever waits in a queue behind them.
@compute @workgroup_size(LANE_COUNT)
fn portlab_live(@builtin(local_invocation_index) local: u32) {
  lane_index = local;
  spins_left = live.spins_max;
  if lane_index == 0u { shared_turn = atomicAdd(&channel[LIVE_STARTED_WORD], 1u); }
  let place = workgroupUniformLoad(&shared_turn);
  if place < live.server_groups {
    wave_index = place;
    var start = place;
    while server_serve(start) {
      start = workgroupUniformLoad(&shared_port) + 1u;
      spins_left = live.spins_max;
    }
  } else if place < live.server_groups + live.client_groups {
    wave_index = place - live.server_groups;
    while client_call() { spins_left = live.spins_max; }
    client_end();
    if lane_index == 0u { add_to_report(LIVE_FINISHED_WORD, 1u); }
  }
  add_to_report(LIVE_RETRIES_WORD, retries);
}
