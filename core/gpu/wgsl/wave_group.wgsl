// Wave operations where a wave has several lanes: it is a workgroup or a part of one, and its lanes
// exchange values through workgroup memory. Subgroups do this in hardware, but they are an optional
// feature that neither software adapter offers.
//
// Every invocation has to reach every barrier, whatever its wave does, because several waves may
// share a workgroup. Sync: a barrier orders this workgroup only, and no more is needed here.

// Begin as 0: the smallest key is the largest of their complements.
var<workgroup> agreed_largest: array<atomic<u32>, WAVES_PER_GROUP>;
var<workgroup> agreed_mask: array<atomic<u32>, 2 * WAVES_PER_GROUP>;
var<workgroup> agreed_longest: array<atomic<u32>, WAVES_PER_GROUP>;
// A stream needs to know its length first, for its spares.
const FINDS_EARLY = !USES_SESSIONS && !USES_STREAMS;

var<workgroup> found_port: array<vec2u, WAVES_PER_GROUP>;
var<workgroup> busy_turn: atomic<u32>;
var<workgroup> goes_on: u32;

// The smallest key of the wave, the lanes that have it, and their longest stream.
fn wave_agree(key: u32) -> Agreement {
  if HAS_TURNS {
    if lane_index == 0u {
      atomicStore(&agreed_largest[wave_slot], 0u);
      atomicStore(&agreed_mask[2u * wave_slot], 0u);
      atomicStore(&agreed_mask[2u * wave_slot + 1u], 0u);
      atomicStore(&agreed_longest[wave_slot], 0u);
    }
    workgroupBarrier();
  }
  atomicMax(&agreed_largest[wave_slot], ~key);
  workgroupBarrier();
  let least = ~atomicLoad(&agreed_largest[wave_slot]);
  if key == least {
    atomicOr(&agreed_mask[2u * wave_slot + (lane_index >> 5u)], 1u << (lane_index & 31u));
    atomicMax(&agreed_longest[wave_slot], lane.stream_bytes);
  }
  // Before it is known which lanes take part, as each barrier costs as much as a search.
  if FINDS_EARLY {
    if lane_index == 0u { found_port[wave_slot] = wave_find_port(wave_opens(least)); }
  }
  workgroupBarrier();
  let lo = atomicLoad(&agreed_mask[2u * wave_slot]);
  let hi = atomicLoad(&agreed_mask[2u * wave_slot + 1u]);
  return Agreement(least, vec2u(lo, hi), atomicLoad(&agreed_longest[wave_slot]));
}

// One lane looks for a port and spares, and all lanes get what it has found.
fn wave_broadcast_port(finds: bool) -> vec2u {
  if !FINDS_EARLY {
    if lane_index == 0u { found_port[wave_slot] = wave_find_port(finds); }
    workgroupBarrier();
  }
  return found_port[wave_slot];
}

// Whether any wave of the workgroup is busy: then all of them take another turn, for the barriers.
fn group_goes_on(is_busy: bool, turn: u32) -> bool {
  if is_busy { atomicStore(&busy_turn, turn + 1u); }
  workgroupBarrier();
  if wave_slot == 0u && lane_index == 0u {
    goes_on = select(0u, 1u, atomicLoad(&busy_turn) == turn + 1u);
  }
  return workgroupUniformLoad(&goes_on) == 1u;
}

fn group_order() { storageBarrier(); }
