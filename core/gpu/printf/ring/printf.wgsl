// Records of what was printed, one behind the other. A record is a head of two words, and the words
// of its arguments: the number of the call from 1, and the lane, in 16 bits each; the workgroup.
struct PREFIXRing {
  used: atomic<u32>, // words that were asked for
  lost: atomic<u32>, // calls that found no room; stays at its largest value
  words: array<u32>,
}
@group(GROUP) @binding(BINDING) var<storage, read_write> PREFIXring: PREFIXRing;
var<private> PREFIXplace: vec2u;

// Where a record may be written; 0xffffffff when there is no room for the whole of it.
fn PREFIXreserve(call: u32, word_count: u32) -> u32 {
  let capacity = arrayLength(&PREFIXring.words);
  // A full ring is not asked again: the sum would wrap around after 2^32 words, and then records
  // would be written over others.
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
