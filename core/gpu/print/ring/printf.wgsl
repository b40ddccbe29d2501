// Consecutive records of what was printed. A record has a head of two words, followed by the words of
// its arguments. The head is the number of the call from 1 in 10 bits, that of its dispatch or draw in
// 10 bits, a mark of fragments, and the lane in 11 bits; then the workgroup, or y and x of a pixel in
// 16 bits each.
struct PREFIXRing {
  used: atomic<u32>, // words requested
  lost: atomic<u32>, // calls that found no room; stays at its maximum
  // What the host wants to see; 0 for everything.
  first: u32, // the most calls of each printf
  lane: u32, // one more than the only lane
  workgroup: u32,
  pixel: u32,
  counts: array<atomic<u32>, CALL_COUNT>, // of each printf, while `first` asks for them
  words: array<u32>,
}
@group(GROUP) @binding(BINDING) var<storage, read_write> PREFIXring: PREFIXRing;
DISPATCH
var<private> PREFIXplace: vec2u;

// Whether the host wants to see a call of this invocation.
fn PREFIXis_wanted(call: u32) -> bool {
  let only_here = select(PREFIXring.workgroup, PREFIXring.pixel, PREFIXplace.x >= 0x800u);
  let only_lane = select(PREFIXring.lane, 0u, PREFIXplace.x >= 0x800u);
  if (only_here != 0u && only_here != PREFIXplace.y + 1u) ||
    (only_lane != 0u && only_lane != PREFIXplace.x + 1u) {
    return false;
  }
  let first = PREFIXring.first;
  // Most calls are beyond the first: they only read.
  return first == 0u || (atomicLoad(&PREFIXring.counts[call - 1u]) < first &&
    atomicAdd(&PREFIXring.counts[call - 1u], 1u) < first);
}

// Where to write a record; 0xffffffff if it is not wanted, or does not fit as a whole.
fn PREFIXreserve(call: u32, word_count: u32) -> u32 {
  if !PREFIXis_wanted(call) { return 0xffffffffu; }
  let capacity = arrayLength(&PREFIXring.words);
  // Nothing is added once the ring is full: the sum would wrap around after 2^32 words, and records
  // would be overwritten.
  if atomicLoad(&PREFIXring.used) < capacity {
    let first = atomicAdd(&PREFIXring.used, word_count);
    if first < capacity && word_count <= capacity - first {
      PREFIXring.words[first] = (call << 22u) | (PREFIXdispatch.x << 12u) | PREFIXplace.x;
      PREFIXring.words[first + 1u] = PREFIXplace.y;
      return first + 2u;
    }
  }
  if atomicLoad(&PREFIXring.lost) < 0xf0000000u {
    atomicAdd(&PREFIXring.lost, 1u);
  }
  return 0xffffffffu;
}
