// What a handler may use: that of gpu_server.wgsl, on the channel's own packet.

var<private> lane_index: u32;
var<private> packet_base: u32;
var<private> word_beyond: bool;

// A word of the lane's packet, below LANE_WORDS; a call that uses another fails.
fn packet_get(word: u32) -> u32 { return payload[packet_place(word)]; }

fn packet_set(word: u32, value: u32) { payload[packet_place(word)] = value; }

fn packet_place(word: u32) -> u32 {
  if word >= LANE_WORDS { word_beyond = true; }
  return packet_base + min(word, LANE_WORDS - 1u) * WORD_STRIDE;
}

fn lane_operate(port: u32, lane: u32, opcode: u32) {
  lane_index = lane;
  packet_base = PACKETS_WORD + port * PACKET_WORDS + lane * LANE_STRIDE;
  if opcode != OPCODE_NOOP { operate(opcode); }
}
