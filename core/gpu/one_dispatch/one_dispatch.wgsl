// Client and server in one dispatch: some workgroups serve, the others call.
//
// WGSL promises no order between workgroups: its atomics are relaxed, and a barrier orders one
// workgroup only. A reader may see a mailbox change before the packet that was written first. So
// every word of a packet is an atomic, and the last word of a lane is a checksum of the others and of
// the turn's number. Who takes a packet reads it again until the checksum is right. Words of an
// earlier turn do not pass, because their turn is another one; the turn's number comes from the
// mailbox, which is one word.
//
// WGSL does not promise either that two workgroups run at the same time. So every loop is bounded,
// and reaching a bound is a result: "no progress on this adapter".

struct OneDispatchParams {
  client_groups: u32,
  server_groups: u32,
  // How often the loops of one turn may look before they give up.
  spins_max: u32,
  // For the author's functions: how many calls a wave is to make.
  calls_per_wave: u32,
}

// The whole channel, at the words of layout.ts, and behind it the report.
@group(0) @binding(0) var<storage, read_write> channel: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> dispatch: OneDispatchParams;

const CHECKSUM_INDEX = LANE_WORDS - 1u;

var<private> lane_index: u32;
// The number of this workgroup among the clients, or among the servers.
var<private> wave_index: u32;
// The turn of the session that the author's functions are called for, from 0.
var<private> session_turn: u32;
// The lane's packet: what the author's functions read and write by packet_get() and packet_set().
var<private> packet: array<u32, CHECKSUM_INDEX>;
// The number of the running step, plus 1; otherwise 0.
var<private> running_step: u32;
var<private> wants_turn: bool;
var<private> spins_left: u32;
var<private> retries: u32;

// What the first lane tells the others: it writes `broadcast`, all lanes read it by
// group_broadcast().
struct Broadcast { port: u32, turn: u32, opcode: u32, flags: u32, outcome: u32 }

// How a turn ended for the wave.
const LOST = 0u;
const ENDED = 1u;
const GOES_ON = 2u;

// Words that the lanes of a wave share, by group_load() and so on: the lanes that take part; whether
// one of them has lost its packet, or wants another turn; and the request of the session.
const MASK_PLACE = 0u;
const LOST_PLACE = 2u;
const MORE_PLACE = 3u;
const REQUEST_PLACE = 4u;
const SHARED_COUNT = 5u;

const NO_PORT = 0xffffffffu;
// A flag in the opcode word of a header, like CONTINUES: no answer will be read.
const NO_REPLY = 0x40000000u;
const HEADER_FLAGS = CONTINUES | NO_REPLY;

// For client_use() and serve(): asks for another turn of the session after this one. When one lane
// asks, all lanes of the session take part. Both sides have to ask for the same number of turns.
fn another_turn() { wants_turn = true; }

// For each lane of the session, before a barrier: lets the first lane know.
fn share_turn_wish() {
  if USES_TURNS && wants_turn { group_store(MORE_PLACE, 1u); }
  wants_turn = false;
}

// For the first lane, after the barrier: whether any lane has asked for another turn.
fn any_wants_turn() -> bool { return USES_TURNS && group_exchange(MORE_PLACE, 0u) == 1u; }

// Workgroups become servers and clients in the order in which they begin to run, not by their
// numbers. So an adapter that runs only a few at a time runs the servers and some clients first.
@compute @workgroup_size(LANE_COUNT)
fn portlab_one_dispatch(@builtin(local_invocation_index) local: u32) {
  lane_index = local;
  spins_left = dispatch.spins_max;
  if lane_index == 0u { broadcast.turn = atomicAdd(&channel[DISPATCH_STARTED_WORD], 1u); }
  let order = group_broadcast().turn;
  if order < dispatch.server_groups {
    wave_index = order;
    server_run();
  } else if order < dispatch.server_groups + dispatch.client_groups {
    wave_index = order - dispatch.server_groups;
    client_run();
  }
  if retries > 0u { add_to_report(DISPATCH_RETRIES_WORD, retries); }
}
