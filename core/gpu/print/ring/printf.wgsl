// Consecutive records of what was printed. A record has a head of two words, followed by the words of
// its arguments. The head is the number of the call from 1 in 10 bits, that of its dispatch or draw in
// 10 bits, a mark of fragments, and the lane in 11 bits; then the workgroup, or y and x of a pixel in
// 16 bits each.
// What a host writes of a shader into this text: the bindings, and how many calls there are.
const printf_call_count = 1u;
struct printf_Ring {
  used: atomic<u32>, // words requested
  lost: atomic<u32>, // calls that found no room; stays at its maximum
  // What the host wants to see; 0 for everything.
  first: u32, // the most calls of each printf
  lane: u32, // one more than the only lane
  workgroup: u32,
  pixel: u32,
  counts: array<atomic<u32>, printf_call_count>, // of each printf, while `first` asks for them
  words: array<u32>,
}
@group(0) @binding(0) var<storage, read_write> printf_ring: printf_Ring;
@group(0) @binding(1) var<uniform> printf_dispatch: vec4<u32>;
var<private> printf_place: vec2<u32>;

// Whether the host wants to see a call of this invocation.
fn printf_is_wanted(call: u32) -> bool {
  let only_here = select(printf_ring.workgroup, printf_ring.pixel, printf_place.x >= 0x800u);
  let only_lane = select(printf_ring.lane, 0u, printf_place.x >= 0x800u);
  if (only_here != 0u && only_here != printf_place.y + 1u) ||
    (only_lane != 0u && only_lane != printf_place.x + 1u) {
    return false;
  }
  let first = printf_ring.first;
  // Most calls are beyond the first: they only read.
  return first == 0u || (atomicLoad(&printf_ring.counts[call - 1u]) < first &&
    atomicAdd(&printf_ring.counts[call - 1u], 1u) < first);
}

// Where to write a record; 0xffffffff if it is not wanted, or does not fit as a whole.
fn printf_reserve(call: u32, word_count: u32) -> u32 {
  if !printf_is_wanted(call) { return 0xffffffffu; }
  let capacity = arrayLength(&printf_ring.words);
  // Nothing is added once the ring is full: the sum would wrap around after 2^32 words, and records
  // would be overwritten.
  if atomicLoad(&printf_ring.used) < capacity {
    let first = atomicAdd(&printf_ring.used, word_count);
    if first < capacity && word_count <= capacity - first {
      printf_ring.words[first] = (call << 22u) | (printf_dispatch.x << 12u) | printf_place.x;
      printf_ring.words[first + 1u] = printf_place.y;
      return first + 2u;
    }
  }
  if atomicLoad(&printf_ring.lost) < 0xf0000000u {
    atomicAdd(&printf_ring.lost, 1u);
  }
  return 0xffffffffu;
}
