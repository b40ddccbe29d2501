// The least that a call within a dispatch can cost: two workgroups toggle two words, without lock
// and packet. The two workgroups that begin to run first take part, as in one_dispatch.wgsl: so
// neither of them waits in a queue until the other has ended. How a word is flipped is a function that
// the host adds: flip().
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> limits: vec4u; // turns, spins

// Words apart: two cache lines, because prefetchers bring lines in pairs.
const LINE = 32u;
const GAVE_UP = 2u * LINE;
const STARTED = 3u * LINE;

@compute @workgroup_size(1)
fn main() {
  let mine = atomicAdd(&words[STARTED], 1u);
  if mine > 1u { return; }
  let inbox = LINE * (1u - mine);
  let outbox = LINE * mine;
  for (var turn = 1u; turn <= limits.x; turn++) {
    if mine == 0u { flip(outbox, turn); }
    var spins = limits.y;
    while atomicLoad(&words[inbox]) != turn && spins > 0u { spins--; }
    if spins == 0u { atomicStore(&words[GAVE_UP], 1u); return; }
    if mine == 1u { flip(outbox, turn); }
  }
}
