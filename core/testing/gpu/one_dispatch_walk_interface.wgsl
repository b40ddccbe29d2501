// L4, one dispatch: sends (s) and receives (r) in the order s s r s r s s r r, then s or r, by one
// lane; the server does the opposite of each. That is a session of seven turns. Even parts end with
// r, odd parts with s.
@group(1) @binding(0) var<storage, read_write> results: array<u32>;

const LAST_TURN = 6u;

var<private> part: u32;
var<private> counter: u32;
// The server's.
var<private> ends_with_recv: bool;

fn give() {
  counter++;
  packet_set(0u, counter);
}

fn take() { counter = packet_get(0u); }

fn ends_with_send() -> bool { return part % 2u == 1u; }

fn end_part() {
  results[part * LANE_COUNT] = counter;
  part++;
}

fn client_fill() -> bool {
  if lane_index != 0u || part == dispatch.calls_per_wave { return false; }
  switch session_turn {
    case 0u: {
      counter = 0u;
      packet_set(0u, select(0u, 1u, ends_with_send()));
      call(INTERFACE);
    }
    // Between two receives.
    case 5u: {}
    case LAST_TURN: {
      if ends_with_send() {
        give();
        no_reply();
        end_part();
      }
    }
    default: { give(); }
  }
  return true;
}

fn client_use() {
  // Nothing comes between two sends.
  if session_turn != 0u && session_turn != 3u { take(); }
  if session_turn < LAST_TURN { another_turn(); } else { end_part(); }
}

fn client_end() {}

fn serve(opcode: u32) {
  switch session_turn {
    case 0u: { ends_with_recv = packet_get(0u) == 1u; }
    case 3u: { take(); }
    case 5u: { give(); }
    case LAST_TURN: {
      if ends_with_recv {
        take();
        results[dispatch.calls_per_wave * LANE_COUNT + lane_index] = counter;
      } else {
        give();
      }
    }
    default: {
      take();
      give();
    }
  }
  if session_turn < LAST_TURN { another_turn(); }
}
