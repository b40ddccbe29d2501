// Values of all kinds that are kept over a call, and names that hide others.

struct Pair { a: u32, inner: Inner, list: array<u32, 3> }
alias Row = array<vec4u, LENGTH>;
const LENGTH = 2u;
const SCALE = 3;
var<private> shadow: u32 = 11u;

fn case_integers() { let a = -5i; var b = i32(lane_index); note(1u); store(u32(a * -2i + b)); }
fn case_floats() { let a = halved(f32(lane_index)); let b = 0.25; note(1u); store(u32(a * 8.0 + b * 4.0)); }
fn case_bools() {
  let a = lane_index > 1u;
  var b = vec2<bool>(a, !a);
  note(1u);
  if a && b.x { store(1u); }
  b.y = !b.y;
  note(2u);
  if all(b) { store(2u); }
}
fn case_vectors() {
  var v = vec3u(1u, 2u, lane_index);
  let w = vec2f(0.5, f32(lane_index));
  note(1u);
  v.y = square(v.z);
  v += vec3u(1u);
  note(v.x);
  store(v.x + v.y * 10u + v.z * 1000u + u32(w.y * 2.0));
}
fn case_matrices() {
  let m = mat2x3f(1.0, 2.0, 3.0, 4.0, 5.0, f32(lane_index));
  let v = vec2f(2.0, 1.0);
  note(1u);
  let r = m * v;
  note(2u);
  store(u32(r.x + r.y + r.z + (r * m).y + m[1][2]));
}
fn case_arrays() {
  var list: array<u32, 4>;
  for (var i = 0u; i < 4u; i++) { list[i] = square(i + lane_index); }
  var sum = 0u;
  for (var i = 0u; i < 4u; i++) { sum = sum * 3u + list[i]; }
  store(sum);
}
fn case_structs() {
  var pair = Pair(1u, Inner(2u, vec2f(3.0, 4.0)), array<u32, 3>(5u, 6u, lane_index));
  note(pair.a);
  pair.inner.low = square(pair.list[2]);
  let inner = pair.inner;
  note(inner.low);
  store(pair.inner.low + u32(inner.at.y) + pair.list[1]);
}
fn case_aliases() {
  var rows: Row;
  rows[1].z = lane_index;
  note(1u);
  rows[0] = rows[1] + vec4u(square(2u));
  store(rows[0].z + rows[0].w);
}
fn case_struct_argument() {
  let inner = moved(Inner(lane_index, vec2f(1.0, 2.0)));
  store(inner.low + u32(inner.at.x * 10.0 + inner.at.y));
}
fn case_bools_in_structs() {
  let list = array<bool, 2>(false, lane_index > 2u);
  let marks = marked(Marks(lane_index > 1u, lane_index, list));
  if marks.on { store(1u); }
  if marks.list[0] { store(2u); }
  if marks.list[1] { store(3u); }
  store(marks.count);
  let count = marked(Marks(true, 1u, array<bool, 2>())).count;
  note(count);
  store(count);
}
fn case_zero_values() {
  var a: u32;
  var v: vec2f;
  var list: Row;
  a += square(2u);
  note(a + u32(v.x) + list[1].z);
  v.x = 5.0;
  list[0].w = square(lane_index);
  store(a + u32(v.x + v.y) + list[0].w + list[0].x);
}
fn case_shadowing() {
  let a = square(lane_index);
  { let a = square(a + 1u); { var a = a + 1u; note(a); a++; store(a); } store(a); }
  if a > 1u { let a = 5u; note(a); store(a); }
  for (var a = 0u; a < 2u; a++) { note(a); let a = a + 10u; store(a); }
  store(a);
}
fn case_hidden_module_names() {
  store(shadow);
  { let shadow = square(2u); note(shadow); store(shadow); }
  shadow += 1u;
  note(shadow);
  let square_root = lane_index;
  let SCALE = square(square_root);
  store(SCALE);
}
fn case_names_of_the_generated_part() {
  let frame = lane_index;
  var lane = 1u;
  let go = square(frame);
  for (var call = 0u; call < 2u; call++) { lane += call + go; }
  let kept = 3u;
  let square_value = 4u;
  note(lane);
  let reply = frame + kept + square_value;
  store(lane + reply + go);
}
fn case_constants() {
  const n = 3u;
  const m = n + 1u;
  var list: array<u32, m>;
  list[n] = square(m);
  note(n);
  store(list[n] + m + u32(SCALE));
  if lane_index == 1u { const n = 8u; store(n); }
}
fn case_constants_of_one_name() {
  { const n = 2u; var list: array<u32, n>; list[n - 1u] = square(n); note(n); store(list[n - 1u]); }
  { const n = 4u; var list = array<u32, n>(1u, 2u, 3u, n); list[n - 1u] += square(n); note(n); store(list[3]); }
  const LENGTH = 3u;
  var list: array<u32, LENGTH * 2u>;
  list[LENGTH + 2u] = square(lane_index);
  note(LENGTH);
  store(list[5]);
}
fn case_wanted_later_only() {
  let a = lane_index * 7u;
  var b = 1u;
  if is_odd(lane_index) { b = a; }
  b = square(2u);
  let unused = square(5u);
  note(b);
  store(a);
}
fn case_same_place_in_the_frame() {
  { let first = square(1u); note(2u); store(first); }
  { let second = square(3u); note(4u); store(second); }
  for (var i = 0u; i < 2u; i++) { let third = square(i); note(5u); store(third); }
}
fn case_inferred_types() {
  let a = max(lane_index, 2u);
  let b = vec3(1.0, 2, f32(lane_index));
  let c = array(a, 5u);
  let d = dot(b, vec3f(1.0)) + length(vec2f(3.0, 4.0));
  let e = bitcast<u32>(1.5f) >> 20u;
  let f = select(1i, 2i, a > 2u);
  let g = b.xy.yx;
  let h = vec2(1, 2).x;
  let i = any(b > vec3f(1.5)) && a < 4u;
  let j = clamp(i32(a), 0, 3) % 4;
  let k = countOneBits(a) + pack4x8unorm(vec4f(1.0)) % 3u;
  note(1u);
  store(a + u32(b.y) + c[1] + u32(d) + e + u32(f) + u32(g.x) + u32(h) + u32(i) + u32(j) + k);
}
fn case_floats_of_integers() {
  let a = sqrt(2);
  let b = length(vec2(3, 4));
  let c = mat2x2(1, 2, 3, 4);
  let d = max(1, 2) + sign(-3);
  note(1u);
  store(bitcast<u32>(a)); store(bitcast<u32>(b)); store(bitcast<u32>(c[1].x)); store(bitcast<u32>(d));
}
fn case_results_without_a_name() {
  let parts = frexp(f32(lane_index) + 1.5);
  let exponent = parts.exp;
  let whole = modf(vec2f(2.25, f32(lane_index))).whole;
  let swapped = atomicCompareExchangeWeak(&counts[lane_index], 0u, 5u);
  let has_swapped = swapped.exchanged;
  let old = swapped.old_value;
  note(1u);
  store(u32(exponent)); store(bitcast<u32>(whole.y)); store(u32(has_swapped)); store(old);
}
alias Word = u32;
alias WordRow = array<Word, 2 + 1>;
alias Grid = array<WordRow, 2>;
fn case_arrays_of_aliases() {
  var grid: Grid;
  var row = WordRow(1u, 2u, 3u);
  var plain: array<array<u32, 3>, 2>;
  grid[1][2] = square(row[1]);
  row[0] = half_of(grid[1][2]);
  plain[1][0] = square(row[0]);
  grid[0] = row;
  note(plain[1][0]);
  store(grid[0][0]); store(grid[1][2]); store(row[2]); store(plain[1][0]);
}
const COUNT = 12;
var<private> history: array<u32, COUNT * 2>;
fn case_long_arrays() {
  var sums: array<u32, 40>;
  var grid: array<array<vec2u, 9>, COUNT>;
  for (var i = 0u; i < 40u; i++) { sums[i] = i; grid[i % 12u][i % 9u].y = i; history[i % 24u] += i; }
  sums[39] += square(sums[38]);
  grid[11][8].x = square(grid[3][3].y);
  history[23] += square(history[22]);
  note(sums[39] + grid[3][3].y);
  store(sums[39]); store(sums[0] + sums[20]); store(grid[11][8].x); store(history[23] + history[0]);
}
