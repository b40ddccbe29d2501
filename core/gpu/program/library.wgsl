// What programs may call in addition to functions of the host. A program only includes what it uses.

fn global_index() -> u32 { return wave_index * LANE_COUNT + lane_index; }

fn thread_index() -> u32 { return global_index() % THREAD_COUNT; }

fn block_index() -> u32 { return global_index() / THREAD_COUNT; }

// Whether a handle is null, as that of fopen after a failure.
fn is_null(handle: vec2u) -> bool { return all(handle == vec2u()); }

// Writes a text, and why the last call of this thread failed, to the standard error.
fn perror(text: u32) { perror_of(text, host_errno); }

fn strlen(text: u32) -> u32 {
  var end = text;
  while heap_u8(end) != 0u { end++; }
  return end - text;
}

fn strcmp(one: u32, other: u32) -> i32 {
  for (var at = 0u; ; at++) {
    let difference = i32(heap_u8(one + at)) - i32(heap_u8(other + at));
    if difference != 0 || heap_u8(one + at) == 0u { return difference; }
  }
  return 0;
}

// The number at the start of a text, or 0; wraps around beyond 32 bits.
fn atoi(text: u32) -> i32 {
  var at = text;
  while heap_u8(at) == 32u || heap_u8(at) - 9u < 5u { at++; }
  let is_negative = heap_u8(at) == 45u;
  if is_negative || heap_u8(at) == 43u { at++; }
  var value = 0;
  while heap_u8(at) - 48u < 10u {
    value = 10 * value + i32(heap_u8(at) - 48u);
    at++;
  }
  return select(value, -value, is_negative);
}
