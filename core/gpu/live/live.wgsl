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
// The turn of the session that the author's functions are called for, from 0.
var<private> session_turn: u32;
// What the author's functions read and write through packet_get() and packet_set().
var<private> packet: array<u32, CHECK_PLACE>;
var<private> wants_turn: bool;
var<private> spins_left: u32;
var<private> retries: u32;

// What the first lane tells the others: written by it, read through group_shared().
struct Shared { port: u32, turn: u32, opcode: u32, flags: u32, outcome: u32 }

// How a turn ended for the wave.
const LOST = 0u;
const ENDED = 1u;
const GOES_ON = 2u;

var<workgroup> shared_mask: array<atomic<u32>, 2>;
var<workgroup> shared_lost: atomic<u32>;
var<workgroup> shared_more: atomic<u32>;

const NO_PORT = 0xffffffffu;
// In the opcode word of a header, beside CONTINUES: nobody will read an answer.
const NO_REPLY = 0x40000000u;
const HEADER_FLAGS = CONTINUES | NO_REPLY;

// For client_use() and serve(): after this turn of the session comes another. One lane that says so
// is enough, and all lanes of the session take part in it. Both sides have to come to the same.
fn another_turn() { wants_turn = true; }

// Before a barrier, by each lane of the session: what it has said, for the first lane.
fn tell_turn() {
  if USES_TURNS && wants_turn { atomicStore(&shared_more, 1u); }
  wants_turn = false;
}

// For the first lane, behind the barrier: whether any lane has said so.
fn takes_turn() -> bool { return USES_TURNS && atomicExchange(&shared_more, 0u) == 1u; }

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
    server_run();
  } else if place < live.server_groups + live.client_groups {
    wave_index = place - live.server_groups;
    client_run();
  }
  if retries > 0u { add_to_report(LIVE_RETRIES_WORD, retries); }
}
