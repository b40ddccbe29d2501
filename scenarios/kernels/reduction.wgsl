// Approaches pi by the area under 4 / (1 + x * x): each thread adds up stripes of its own, and `end` adds
// up what they found.
//   deno task run --threads 256 scenarios/kernels/reduction.wgsl -- 1000000

const SUMS_MAX = 1024u;

var<storage, read_write> sums: array<f32, SUMS_MAX>;

fn begin(argc: u32, argv: u32) {
  if argc == 2u && THREAD_COUNT * BLOCK_COUNT <= SUMS_MAX { return; }
  fputs("usage: reduction STRIPES, with 1024 threads at most\n", stderr());
  exit(2);
}

fn main(argc: u32, argv: u32) -> i32 {
  let stripes = u32(atoi(heap_u32(argv + 4u)));
  var sum = 0.0;
  for (var at = global_index(); at < stripes; at += THREAD_COUNT * BLOCK_COUNT) {
    let x = (f32(at) + 0.5) / f32(stripes);
    sum += 4.0 / (1.0 + x * x);
  }
  sums[global_index()] = sum / f32(stripes);
  return 0;
}

// By halves: that keeps more digits than one sum after the other.
fn end() {
  for (var half = SUMS_MAX / 2u; half > 0u; half /= 2u) {
    for (var at = 0u; at < half; at++) { sums[at] += sums[at + half]; }
  }
  printf("%.6f\n", sums[0]);
}
