// The GPU as the server: each invocation is one lane of one pending call, and works on its
// words. The author writes operate(); what it leaves in the packet is the answer.

struct Batch { call_count: u32, lane_count: u32 }

// Each packet, and one word after it.
@group(0) @binding(0) var<storage, read_write> packets: array<u32>;
// For each call of the batch: mask lo, mask hi, opcode, unused.
@group(0) @binding(1) var<storage, read> headers: array<vec4u>;
@group(0) @binding(2) var<uniform> batch: Batch;

var<private> lane_index: u32;
var<private> packet_base: u32;
// The word after the packet: a word used beyond it.
var<private> beyond_place: u32;

// A word of the lane's packet, below LANE_WORDS; a call that uses another fails.
fn packet_get(word: u32) -> u32 { return packets[packet_place(word)]; }

fn packet_set(word: u32, value: u32) { packets[packet_place(word)] = value; }

fn packet_place(word: u32) -> u32 {
  if word >= LANE_WORDS { packets[beyond_place] = word; }
  return packet_base + min(word, LANE_WORDS - 1u) * WORD_STRIDE;
}

@compute @workgroup_size(GROUP_SIZE)
fn portlab_serve(@builtin(global_invocation_id) at: vec3u) {
  let call = at.x / batch.lane_count;
  lane_index = at.x % batch.lane_count;
  if call >= batch.call_count { return; }
  let header = headers[call];
  let half = select(header.x, header.y, lane_index >= 32u);
  if ((half >> (lane_index & 31u)) & 1u) == 0u { return; }
  let slot = call * (PACKET_WORDS + 1u);
  packet_base = slot + lane_index * LANE_STRIDE;
  beyond_place = slot + PACKET_WORDS;
  operate(header.z);
}
