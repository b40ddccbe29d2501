// Loops: every form, with calls in each of their parts.

fn case_for() {
  var total = 0u;
  for (var i = 0u; i < lane_index; i++) { total += square(i); }
  store(total);
}
fn case_for_without_parts() {
  var i = 0u;
  for (;;) { if i >= lane_index { break; } note(i); i++; }
  store(i);
}
fn case_for_calls_in_its_head() {
  for (var i = square(1u); i < half_of(lane_index * 4u); i += half_of(2u)) { store(i); }
  note(99u);
}
fn case_for_update_call() {
  var i = 0u;
  for (; i < 3u; note(i)) { i++; if i == lane_index { continue; } store(i); }
}
fn case_while() {
  var a = lane_index;
  while a > 0u { a = half_of(a); note(a); }
  store(a);
}
fn case_while_condition_calls() {
  var a = lane_index;
  while square(a) < 20u { a += 2u; store(a); }
  store(a);
}
fn case_loop_break() {
  var a = 0u;
  loop { a += square(a + 1u); if a > lane_index * 3u { break; } }
  store(a);
}
fn case_loop_continuing() {
  var a = 0u;
  loop {
    if a == 2u { continue; }
    note(a);
    continuing { a++; break if a > lane_index; }
  }
  store(a);
}
fn case_continuing_calls() {
  var a = 0u;
  loop {
    let next = a + 2u;
    if is_odd(lane_index) && a == 2u { a = 7u; continue; }
    store(a);
    continuing { a = max(a + 1u, half_of(next)); note(a); break if is_odd(square(a)); }
  }
  store(a);
}
fn case_break_if_before_end() {
  var a = 0u;
  loop { continuing { a += square(2u); break if a >= 4u * (lane_index + 1u); } }
  store(a);
}
fn case_nested_loops() {
  for (var i = 0u; i < 3u; i++) {
    for (var j = 0u; j < lane_index; j++) {
      if j == i { continue; }
      if i + j > 3u { break; }
      note(i * 10u + j);
    }
    store(i);
  }
}
fn case_break_inner_only() {
  for (var i = 0u; i < 2u; i++) {
    loop { note(i); if is_odd(lane_index + i) { break; } store(i); break; }
    while true { if lane_index > i { break; } note(100u + i); break; }
  }
}
fn case_continue_in_switch() {
  for (var i = 0u; i < 4u; i++) {
    switch i {
      case 0u: { continue; }
      case 1u: { if lane_index == 1u { continue; } note(i); }
      case 2u: { break; }
      default: { note(square(i)); continue; }
    }
    store(i);
  }
}
fn case_switch_kept_in_loop() {
  for (var i = 0u; i < 5u; i++) {
    switch i { case 1u: { continue; } case 3u: { break; } default: { store(i); } }
    if i == 4u { break; }
    note(i);
  }
}
fn case_return_from_loops() {
  for (var i = 0u; ; i++) {
    for (var j = 0u; j < 4u; j++) { if i * j > lane_index { return; } note(i * j); }
    store(i);
    if i > 3u { return; }
  }
}
fn case_loop_without_calls() {
  let a = square(lane_index);
  var sum = 0u;
  for (var i = 0u; i < a; i++) { if i == 5u { break; } if i == 2u { continue; } sum += i; }
  loop { sum++; if sum > 6u { break; } continuing { sum++; } }
  note(sum);
}
fn case_break_kept_in_called_loop() {
  var i = 0u;
  while true { i++; if i > lane_index + 1u { store(i); break; } { if i == 2u { continue; } } note(i); }
  store(i + 50u);
}
fn case_value_of_a_kept_break() {
  var a = 1u + lane_index;
  var i = 0u;
  loop {
    note(i);
    if i == lane_index { break; }
    i++;
    a = 50u + i;
  }
  store(a);
  var b = 7u;
  for (var k = 0u; k < 3u; k++) {
    note(b);
    if k == lane_index { continue; }
    b = 9u + k;
    store(b);
  }
}
fn case_many_rounds() {
  var sum = 0u;
  for (var i = 0u; i < 40u; i++) { if i % 13u == lane_index { sum += square(i); } else { sum ^= i; } }
  store(sum);
}
