// Consecutive records of what was printed. A record has a head of two words, followed by the words of
// its arguments. The head is the number of the call from 1 and the lane, in 16 bits each, and the
// workgroup.
struct PREFIXRing {
  used: atomic<u32>, // words requested
  lost: atomic<u32>, // calls that found no room; stays at its maximum
  words: array<u32>,
}
@group(GROUP) @binding(BINDING) var<storage, read_write> PREFIXring: PREFIXRing;
var<private> PREFIXplace: vec2u;

// Where to write a record; 0xffffffff if it does not fit as a whole.
fn PREFIXreserve(call: u32, word_count: u32) -> u32 {
  let capacity = arrayLength(&PREFIXring.words);
  // Nothing is added once the ring is full: the sum would wrap around after 2^32 words, and records
  // would be overwritten.
  if atomicLoad(&PREFIXring.used) < capacity {
    let first = atomicAdd(&PREFIXring.used, word_count);
    if first < capacity && word_count <= capacity - first {
      PREFIXring.words[first] = (call << 16u) | PREFIXplace.x;
      PREFIXring.words[first + 1u] = PREFIXplace.y;
      return first + 2u;
    }
  }
  if atomicLoad(&PREFIXring.lost) < 0xf0000000u {
    atomicAdd(&PREFIXring.lost, 1u);
  }
  return 0xffffffffu;
}
