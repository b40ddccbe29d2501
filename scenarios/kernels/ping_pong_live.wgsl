// The floor of a live call: two workgroups, two words, no lock, no packet.
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> limits: vec4u; // turns, spins

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  let mine = group.x;
  // Apart by a cache line and the neighbour that a prefetcher brings.
  let inbox = 32u * (1u - mine);
  let outbox = 32u * mine;
  for (var turn = 1u; turn <= limits.x; turn++) {
    if mine == 0u { atomicStore(&words[outbox], turn); }
    var spins = limits.y;
    while atomicLoad(&words[inbox]) != turn && spins > 0u { spins--; }
    if spins == 0u { atomicStore(&words[64u], 1u); return; }
    if mine == 1u { atomicStore(&words[outbox], turn); }
  }
}
