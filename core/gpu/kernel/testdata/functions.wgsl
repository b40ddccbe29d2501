// Functions that call functions that call the host.

fn add_squares(a: u32, b: u32) -> u32 { return square(a) + square(b); }
fn note_twice(a: u32) { note(a); note(a + 1u); }
fn outer_sum(count: u32) -> u32 {
  var sum = 0u;
  for (var i = 0u; i < count; i++) { sum += add_squares(i, lane_index); note_twice(sum); }
  return sum;
}
fn plain_max(a: u32, b: u32) -> u32 { if a > b { return a; } return b; }
fn first_odd(from_value: u32) -> u32 {
  var a = from_value;
  loop { if is_odd(a) { return a; } a++; if a > from_value + 5u { return 0u; } }
  return 1u;
}
fn clamp_call(a: u32) -> u32 {
  if a == 0u { return 100u; }
  let b = square(a);
  if b > 8u { return 8u; }
  return b;
}
fn unused_parameter(a: u32, b: u32) -> u32 { note(7u); return b; }
fn deep_a(x: u32) -> u32 { return deep_b(x) + x; }
fn deep_b(x: u32) -> u32 { let y = deep_c(x + 1u); return deep_c(y) * x; }
fn deep_c(x: u32) -> u32 { return half_of(x) + x; }
fn swap_pair(a: vec2u) -> vec2u { let b = square(a.x); return vec2u(a.y, b); }
fn add_to(target_value: ptr<function, u32>, value: u32) { *target_value += value; }
fn bump(p: ptr<function, u32>) -> u32 { *p += 1u; return *p; }
fn bump_by(p: ptr<function, u32>, q: ptr<function, u32>) -> u32 { *p += *q; *q += 1u; return *p * 3u; }
var<private> counter: u32 = 5u;
fn count_up() -> u32 { counter++; note(counter); return counter; }
var<private> flags: vec2<bool>;
var<private> total_of_all = 1u;

fn case_function() { store(add_squares(lane_index, 2u)); }
fn case_function_twice() { store(add_squares(1u, lane_index) * 10u + add_squares(lane_index, 3u)); }
fn case_void_function() { note_twice(lane_index); if lane_index > 1u { note_twice(20u); } store(1u); }
fn case_functions_in_loops() { store(outer_sum(lane_index)); }
fn case_nested_calls() { store(add_squares(add_squares(1u, lane_index), square(square(lane_index)))); }
fn case_plain_function_of_calls() { store(plain_max(square(lane_index), half_of(7u))); }
fn case_return_out_of_loop() { store(first_odd(lane_index)); store(first_odd(lane_index * 2u)); }
fn case_many_returns() { store(clamp_call(lane_index)); note(clamp_call(lane_index + 1u)); }
fn case_unused_parameter() { store(unused_parameter(square(9u), lane_index)); }
fn case_deep_calls() { store(deep_a(lane_index) + deep_c(2u)); }
fn case_vector_result() { let v = swap_pair(vec2u(lane_index, 9u)); store(v.x); store(v.y); store(swap_pair(v).y); }
fn case_value_left_alone() { add_squares(1u, lane_index); first_odd(2u); store(3u); }
fn case_pointer_to_kept() {
  var a = lane_index;
  let b = square(a);
  add_to(&a, b);
  note(a);
  let p = &a;
  *p += 1u;
  if bump(&a) > 5u { store(bump(&a)); }
  for (var i = 0u; i < 3u; i++) { add_to(&a, i); if a > 12u { store(a); return; } }
  note(a);
  store(a);
}
fn case_pointer_beside_a_call() {
  var a = lane_index;
  add_to(&a, square(a + 1u));
  note(a);
  store(bump(&a) + square(2u) * bump(&a));
  let old = atomicAdd(&counts[half_of(lane_index * 2u)], square(lane_index + 1u));
  atomicAdd(&counts[lane_index], half_of(old + 6u));
  store(atomicLoad(&counts[lane_index]) + old);
}
fn case_pointer_in_expression() {
  var a = lane_index;
  store(a + bump(&a) * 100u + square(2u) + bump(&a));
  note(a);
}
fn case_pointer_to_what_is_assigned() {
  var a = lane_index; a = bump(&a) + 100u; note(a);
  var b = lane_index; b = half_of(8u) + bump(&b) * 10u; note(b);
  var c = lane_index; c += bump(&c); note(c);
  var d = lane_index; d *= half_of(6u) + bump(&d); note(d);
  var e = vec2u(lane_index); var f = 3u; e.x = bump(&f) + f; e[bump(&f) % 2u] += f; note(e.y);
  var list = array<u32, 4>(7u, 8u, 9u, 10u); var i = 0u;
  i = list[bump(&i)]; list[bump(&i) % 4u] = i; list[bump(&i) % 4u]++; note(i);
  for (var k = lane_index; k < 40u; k = bump(&k) * 3u) { note(k); }
  { var a = bump(&a) * 2u; note(a); a = bump(&a) * 2u; note(a); store(a); }
  if a > 100u { a = bump(&a) + a; if bump(&a) > 0u { a = bump(&a) * 5u; } } else { a = bump(&a); }
  note(a);
  a = bump(&a) + bump_by(&a, &b) * bump(&b); b = bump_by(&b, &a); note(a + b);
  store(a); store(b); store(c); store(d); store(e.x); store(e.y); store(f); store(i);
  for (var k = 0u; k < 4u; k++) { store(list[k]); }
}
fn case_pointers_beside_pointers() {
  var a = lane_index;
  var list = array<u32, 3>(1u, 2u, 3u);
  note(a + list[0]);
  let p = &a; let q = p; let r = &list; let s = &list[lane_index % 3u];
  *p = bump(&a) + 50u;
  a = bump(q) * 3u + *p;
  let b = bump(&a) + *q + bump(p) + (*(p));
  if bump(p) > 5u { *q += bump(&a); a = bump(q); }
  if true { let t = &a; *t = bump(p) + bump(t); *s += *t; }
  switch bump(q) % 2u { case 0u { *p = bump(p) * 2u; } default { a += 1u; } }
  note(b);
  store(a); store(b); for (var k = 0u; k < 3u; k++) { store(list[k]); }
}
fn case_pointer_reads_what_nothing_else_wants() {
  var a = lane_index + 7u;
  note(a);
  let p = &a;
  if lane_index > 0u { var b = 5u; store(*p); store(b); note(2u); store(b); }
}
fn case_private_is_kept() {
  total_of_all += lane_index;
  let a = count_up();
  store(counter + a);
  note(1u);
  counter += count_up() * 2u;
  store(counter * 100u + total_of_all);
}
fn case_private_bools() {
  flags.x = is_odd(lane_index);
  flags.y = !flags.x;
  note(1u);
  if flags.x { store(1u); }
  if flags.y { store(2u); }
}
