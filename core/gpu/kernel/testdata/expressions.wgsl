// Calls inside of expressions: the order of evaluation, and what is evaluated at all.

fn case_order_of_operands() { store(square(1u) + square(2u) * square(lane_index) - half_of(4u)); }
fn case_order_of_arguments() { store(mixed(square(1u), lane_index, half_of(8u), square(2u))); }
fn case_left_value_is_kept() {
  var a = lane_index;
  store(a + square(a));
  buffer_word(1u);
  store(read_word() + set_word_by_call(5u) + read_word());
}
fn case_memory_is_read_in_order() {
  words[lane_index] = 3u;
  store(words[lane_index] + set_word_by_call(4u));
  words[lane_index] += set_word_by_call(9u);
  store(words[lane_index]);
}
fn case_compound_assignments() {
  var a = 100u + lane_index;
  a -= square(2u);
  a *= half_of(4u);
  a /= square(1u) + 1u;
  a %= half_of(40u);
  a <<= half_of(2u);
  a >>= square(1u);
  a |= square(4u);
  a &= half_of(500u);
  a ^= square(lane_index);
  store(a);
}
fn case_and() {
  store(select(0u, 1u, is_odd(lane_index) && is_odd(3u)));
  store(select(0u, 1u, lane_index > 1u && is_odd(lane_index) && lane_index < 9u));
}
fn case_or() {
  store(select(0u, 1u, is_odd(lane_index) || is_odd(lane_index + 2u)));
  let a = lane_index == 2u || is_odd(lane_index) || square(lane_index) == 16u;
  if a { store(2u); }
}
fn case_and_or_mixed() {
  let a = (is_odd(lane_index) || is_odd(half_of(lane_index))) && !(is_odd(5u) && lane_index == 1u);
  store(u32(a));
  var b = false;
  b = a && is_odd(7u);
  if b || is_odd(2u) { note(5u); }
}
fn case_eager_and() { if is_odd(lane_index) & is_odd(lane_index + 1u) | is_odd(1u) { store(1u); } }
fn case_calls_of_calls() { store(square(square(half_of(square(lane_index))))); }
fn case_index_calls() {
  var list = array<u32, 5>(10u, 11u, 12u, 13u, 14u);
  store(list[half_of(lane_index)]);
  list[square(1u)] = 50u;
  list[half_of(4u)] += square(lane_index);
  list[half_of(6u)]++;
  list[lane_index] = list[square(2u)] + square(list[0]);
  for (var i = 0u; i < 5u; i++) { store(list[i]); }
}
fn case_index_is_evaluated_first() {
  var list = array<u32, 4>();
  var i = 1u;
  list[bump_word()] = square(set_word(lane_index % 3u));
  for (var k = 0u; k < 4u; k++) { store(list[k]); }
}
fn case_two_indices() {
  var grid: array<array<u32, 3>, 2>;
  grid[lane_index % 2u][half_of(2u)] = square(lane_index);
  grid[half_of(2u)][half_of(4u)] += 7u;
  for (var i = 0u; i < 2u; i++) { for (var j = 0u; j < 3u; j++) { store(grid[i][j]); } }
}
fn case_members_of_calls() {
  store(u32(turned(vec3f(1.0, 2.0, f32(lane_index))).z));
  let v = turned(vec3f(f32(lane_index), 5.0, 6.0)) * 2.0;
  store(u32(v.x + v.y));
}
fn case_phony() { _ = square(lane_index); _ = 5u; store(1u); }
fn case_unary() {
  store(~square(lane_index));
  store(u32(-minus(1i, i32(lane_index))));
  store(select(7u, 8u, !is_odd(lane_index)));
}
fn case_comparisons() {
  if square(lane_index) >= half_of(8u) { store(1u); }
  if (square(lane_index) & 1u) == 0u { store(2u); }
  if (lane_index) < square(1u) { store(3u); }
}
fn case_shifts() { store(1u << square(2u) >> half_of(lane_index * 2u)); }
fn case_literals_of_no_type() {
  var a = 7;
  let b = 1.5;
  let c = 2 * 3 + a;
  note(1);
  store(u32(a + c));
  store(u32(b * 4));
  store(u32(minus(4, a)));
}
