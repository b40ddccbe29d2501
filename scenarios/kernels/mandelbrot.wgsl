// Writes a picture of the Mandelbrot set as a PPM file: a thread computes every so manieth pixel.
//   deno task run --threads 64 --time scenarios/kernels/mandelbrot.wgsl -- mandelbrot.ppm 320 240

const ROUNDS_MAX = 64u;

var<storage, read_write> picture: u32; // the address of its pixels, 3 bytes each
var<storage, read_write> size: vec2u;

fn begin() {}

// How many rounds a point stays near 0, at most ROUNDS_MAX.
fn rounds_of(point: vec2f) -> u32 {
  var z = vec2f();
  for (var round = 0u; round < ROUNDS_MAX; round++) {
    z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + point;
    if dot(z, z) > 4.0 { return round; }
  }
  return ROUNDS_MAX;
}

fn main(argc: u32, argv: u32) -> i32 {
  return 0;
}
