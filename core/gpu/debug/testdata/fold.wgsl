@group(0) @binding(0) var<storage, read_write> sums: array<u32>;

fn square(x: u32) -> u32 {
  return x * x;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0u;
  for (var i = 0u; i < id.x; i++) {
    sum += square(i);
  }
  sums[id.x] = sum;
}
