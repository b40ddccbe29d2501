// What the corpus stands on. The reference has bodies for the functions of the host.
@service(50000) fn square(x: u32) -> u32;
@service(50001) fn note(value: u32);
@service(50002) fn half_of(x: u32) -> u32;
@service(50003) fn is_odd(x: u32) -> bool;
@service(50004) fn halved(x: f32) -> f32;
@service(50005) fn minus(a: i32, b: i32) -> i32;
@service(50006) fn turned(v: vec3f) -> vec3f;
@service(50007) fn moved(inner: Inner) -> Inner;
@service(50008) fn marked(marks: Marks) -> Marks;

struct Inner { low: u32, at: vec2f }
struct Marks { on: bool, count: u32, list: array<bool, 2> }

@group(1) @binding(0) var<storage, read_write> stored: array<u32>;
@group(1) @binding(1) var<storage, read_write> words: array<u32>;
@group(1) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(1) @binding(2) var<storage, read_write> choice: array<u32>;

var<private> stored_count: u32;

// Keeps a value without the host.
fn store(value: u32) {
  stored[lane_index * 64u + stored_count % 64u] = value;
  stored_count++;
}

fn mixed(a: u32, b: u32, c: u32, d: u32) -> u32 { return a * 1000u + b * 100u + c * 10u + d; }
fn buffer_word(value: u32) { words[lane_index] = value; }
fn read_word() -> u32 { return words[lane_index]; }
fn set_word(value: u32) -> u32 { words[lane_index] = value; return value + 1u; }
fn bump_word() -> u32 { words[lane_index] = (words[lane_index] + 1u) % 4u; return words[lane_index]; }
fn set_word_by_call(value: u32) -> u32 {
  note(value);
  words[lane_index] += value;
  return words[lane_index] * 2u;
}
