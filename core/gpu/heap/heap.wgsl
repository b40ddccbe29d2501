// The heap of a kernel, which functions of the host read and write as well. An address counts bytes; 0
// is null, and the first 16 bytes are reserved.

// Sync: lanes of several workgroups may write bytes of one word, so that its other bytes stay; and
// the host looks between two dispatches only.
@group(0) @binding(6) var<storage, read_write> heap: array<atomic<u32>>;

const HEAP_FIRST_WORD = 4u;

// Not 0 when the step has used an invalid address, which ends its lane. The functions below have no
// branches, as a software adapter compiles each use anew.
var<private> heap_fault: u32;

// The word at an address that is a multiple of 4, or the first, reserved one for an invalid address.
fn heap_word(address: u32) -> u32 {
  let word = address >> 2u;
  let is_outside = word - HEAP_FIRST_WORD >= HEAP_WORDS - HEAP_FIRST_WORD;
  let fault = select(address & 3u, 1u, is_outside);
  heap_fault |= fault;
  return select(word, 0u, fault != 0u);
}

fn heap_u8(address: u32) -> u32 {
  return (atomicLoad(&heap[heap_word(address & ~3u)]) >> (8u * (address & 3u))) & 0xffu;
}

// Stores the low byte of the value.
fn heap_set_u8(address: u32, value: u32) {
  let word = heap_word(address & ~3u);
  let shift = 8u * (address & 3u);
  let bits = (value & 0xffu) << shift;
  atomicAnd(&heap[word], ~(0xffu << shift) | bits);
  atomicOr(&heap[word], bits);
}

// In the functions below, addresses are multiples of 4.

fn heap_u32(address: u32) -> u32 { return atomicLoad(&heap[heap_word(address)]); }

fn heap_set_u32(address: u32, value: u32) { atomicStore(&heap[heap_word(address)], value); }

// Atomically adds to a word and returns the old value.
fn heap_add_u32(address: u32, value: u32) -> u32 {
  return atomicAdd(&heap[heap_word(address)], value);
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

// Lists of variadic arguments of 16 bytes each. Each function writes the argument at an index; a text
// is an address, and a float becomes a double.

fn heap_list_i32(list: u32, index: u32, value: i32) {
  heap_set_entry(list, index, vec3u(LIST_I32, bitcast<u32>(value), 0u));
}

fn heap_list_u32(list: u32, index: u32, value: u32) {
  heap_set_entry(list, index, vec3u(LIST_U32, value, 0u));
}

fn heap_list_i64(list: u32, index: u32, value: vec2u) {
  heap_set_entry(list, index, vec3u(LIST_I64, value));
}

fn heap_list_u64(list: u32, index: u32, value: vec2u) {
  heap_set_entry(list, index, vec3u(LIST_U64, value));
}

fn heap_list_f32(list: u32, index: u32, value: f32) {
  heap_set_entry(list, index, vec3u(LIST_F64, double_bits(value)));
}

fn heap_list_text(list: u32, index: u32, address: u32) {
  heap_set_entry(list, index, vec3u(LIST_STRING, address, 0u));
}

fn heap_set_entry(list: u32, index: u32, entry: vec3u) {
  heap_set_vec2u(list + 16u * index, vec2u(entry.x, 0u));
  heap_set_vec2u(list + 16u * index + 8u, entry.yz);
}
