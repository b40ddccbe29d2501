// The heap of a kernel: memory that functions of the host read and write, too. An address counts
// bytes; 0 is null, and the 16 bytes there are nobody's.

// Sync: lanes of several workgroups may write bytes of one word, so that its other bytes stay; and
// the host looks between two dispatches only.
@group(0) @binding(6) var<storage, read_write> heap: array<atomic<u32>>;

const HEAP_FIRST_WORD = 4u;

fn heap_has(word: u32) -> bool {
  if word >= HEAP_FIRST_WORD && word < HEAP_WORDS { return true; }
  lane_fail(ERROR_BAD_ADDRESS);
  return false;
}

fn heap_word(word: u32) -> u32 {
  if !heap_has(word) { return 0u; }
  return atomicLoad(&heap[word]);
}

// Writes the bits of the mask.
fn heap_put(word: u32, mask: u32, bits: u32) {
  if mask == 0u || !heap_has(word) { return; }
  if mask == 0xffffffffu {
    atomicStore(&heap[word], bits);
    return;
  }
  atomicAnd(&heap[word], ~mask | bits);
  atomicOr(&heap[word], bits);
}

fn heap_u8(address: u32) -> u32 {
  return (heap_word(address >> 2u) >> (8u * (address & 3u))) & 0xffu;
}

// Stores the low byte of the value.
fn heap_set_u8(address: u32, value: u32) {
  let shift = 8u * (address & 3u);
  heap_put(address >> 2u, 0xffu << shift, (value & 0xffu) << shift);
}

// Any address will do; a multiple of 4 is the fastest.
fn heap_u32(address: u32) -> u32 {
  let shift = 8u * (address & 3u);
  let low = heap_word(address >> 2u) >> shift;
  if shift == 0u { return low; }
  return low | (heap_word((address >> 2u) + 1u) << (32u - shift));
}

fn heap_set_u32(address: u32, value: u32) {
  let shift = 8u * (address & 3u);
  heap_put(address >> 2u, 0xffffffffu << shift, value << shift);
  if shift == 0u { return; }
  heap_put((address >> 2u) + 1u, 0xffffffffu >> (32u - shift), value >> (32u - shift));
}

// Adds to a word, whose address is a multiple of 4, and returns what was there: also where many lanes
// do so at a time.
fn heap_add_u32(address: u32, value: u32) -> u32 {
  if (address & 3u) != 0u || !heap_has(address >> 2u) {
    lane_fail(ERROR_BAD_ADDRESS);
    return 0u;
  }
  return atomicAdd(&heap[address >> 2u], value);
}

fn heap_i32(address: u32) -> i32 { return bitcast<i32>(heap_u32(address)); }

fn heap_set_i32(address: u32, value: i32) { heap_set_u32(address, bitcast<u32>(value)); }

fn heap_f32(address: u32) -> f32 { return bitcast<f32>(heap_u32(address)); }

fn heap_set_f32(address: u32, value: f32) { heap_set_u32(address, bitcast<u32>(value)); }

// 64 bits, low word first: handles, and integers of 64 bits.
fn heap_vec2u(address: u32) -> vec2u { return vec2u(heap_u32(address), heap_u32(address + 4u)); }

fn heap_set_vec2u(address: u32, value: vec2u) {
  heap_set_u32(address, value.x);
  heap_set_u32(address + 4u, value.y);
}

// A double, as the nearest float.
fn heap_f64(address: u32) -> f32 { return double_value(heap_vec2u(address)); }

// The float, exactly, as a double.
fn heap_set_f64(address: u32, value: f32) { heap_set_vec2u(address, double_bits(value)); }
