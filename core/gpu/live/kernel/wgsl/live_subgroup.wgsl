// How the lanes of a wave agree while a kernel runs, where a wave is a subgroup of the device: without
// workgroup memory and its barriers. All lanes come to each of these functions together.

// The smallest key of the wave, the lanes that have it, and their longest stream.
fn wave_agree(key: u32) -> Agreement {
  let least = subgroupMin(key);
  let mask = subgroupBallot(key == least);
  var longest = 0u;
  if USES_STREAMS { longest = subgroupMax(select(0u, lane.stream_bytes, key == least)); }
  return Agreement(least, mask.xy, longest);
}

// Whether the lanes of the wave can agree: a device may make several subgroups of a workgroup.
fn wave_is_whole() -> bool { return countOneBits(subgroupBallot(true).x) + countOneBits(subgroupBallot(true).y) == LANE_COUNT; }

// What the first lane says, for all lanes: any other lane says nothing, which is 0.
fn wave_tell(value: u32) -> u32 { return subgroupMax(select(0u, value, is_first_lane())); }

// The lanes that come here together, of those that take part.
fn wave_lanes(takes_part: bool) -> vec2u { return subgroupBallot(takes_part).xy; }

// The largest that any of these lanes says.
fn wave_most(value: u32) -> u32 { return subgroupMax(value); }

// All lanes have done with the packet what they wanted to. Sync: live_spirv.ts lets the barrier order
// buffers: what the first lane publishes next includes what the others wrote.
fn wave_meet() { subgroupBarrier(); }

fn wave_last_port(opens: bool) -> u32 {
  var found = NO_PORT;
  if opens & is_first_lane() { found = port_try_last(true); }
  return subgroupMin(found);
}

// One lane looks for a port, and all lanes get what it has found.
fn wave_broadcast_port(finds: bool) -> vec2u {
  var found = 0u;
  if finds & is_first_lane() { found = wave_find_port(true).x; }
  return vec2u(wave_tell(found), 0u);
}

fn lane_tells_rounds() {}

fn wave_wants_pause() -> bool { return subgroupMax(loop_rounds) > ROUNDS_PAUSE; }
