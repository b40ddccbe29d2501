// Branches: which lanes call, and what they keep, differs from lane to lane.

fn case_if() {
  var a = 1u;
  if lane_index > 1u { a = square(lane_index); }
  store(a);
}
fn case_if_else() {
  var a = 0u;
  if lane_index % 2u == 0u { a = square(lane_index + 1u); } else { a = half_of(lane_index); }
  store(a + 1u);
}
fn case_else_if() {
  var a = 10u;
  if lane_index == 0u { note(1u); }
  else if square(lane_index) == 4u { a = square(3u); }
  else if lane_index == 3u { a += 1u; note(a); }
  else { a = 5u; }
  store(a);
}
fn case_if_without_calls_between() {
  let a = square(lane_index);
  var b = 0u;
  if a > 1u { b = a; } else { b = 100u; }
  if b > 3u { if b < 10u { b -= 1u; } }
  note(b);
}
fn case_nested_if() {
  if lane_index > 0u {
    if lane_index > 1u {
      if lane_index > 2u { note(square(lane_index)); } else { note(2u); }
      store(7u);
    } else { store(8u); }
    note(9u);
  }
  store(10u);
}
fn case_condition_calls() {
  if is_odd(lane_index) && is_odd(square(lane_index)) { store(1u); }
  if is_odd(lane_index) || is_odd(lane_index + 1u) { store(2u); }
  if !is_odd(lane_index) { store(3u); }
}
fn case_early_return() {
  note(1u);
  if lane_index == 2u { return; }
  note(2u);
  if is_odd(lane_index) { store(5u); return; }
  note(3u);
  store(6u);
}
fn case_return_in_kept_statement() {
  let a = square(lane_index);
  if a == 4u { store(a); return; }
  for (var i = 0u; i < 3u; i++) { if i == a { store(i); return; } }
  note(a);
}
fn case_switch() {
  var a = 0u;
  switch lane_index {
    case 0u: { a = square(5u); }
    case 1u, 2u: { a = square(6u); note(a); }
    default: { a = 1u; }
  }
  store(a);
}
fn case_switch_break() {
  var a = 0u;
  switch square(lane_index) {
    case 0u: { if lane_index == 0u { break; } a = 3u; note(a); }
    case 4u: { a = 4u; note(a); if is_odd(a) { break; } a += 1u; }
    default { a = 7u; }
  }
  store(a);
}
fn case_switch_default_among_cases() {
  switch lane_index {
    case 1u: { note(1u); }
    case 2u, default: { note(2u); store(2u); }
    case 3u: { store(3u); }
  }
  store(4u);
}
fn case_switch_return() {
  switch lane_index {
    case 0u: { note(0u); return; }
    case 1u: { note(1u); }
    default: { return; }
  }
  store(1u);
}
fn case_nested_switch() {
  switch lane_index / 2u {
    case 0u: {
      switch lane_index { case 0u: { note(10u); } default: { note(11u); break; } }
      store(1u);
    }
    default: { switch square(lane_index) { case 4u: { store(2u); } default: { note(3u); } } }
  }
}
fn case_empty_branches() {
  if lane_index == 0u {} else { note(1u); }
  if lane_index == 1u { note(2u); } else {}
  switch lane_index { case 0u: {} default: { note(4u); } }
  {}
  { note(3u); {} }
}
