// Writes a picture of the Mandelbrot set, a PPM file. Each thread computes pixels of its own.
//   deno task run --threads 64 --time scenarios/kernels/mandelbrot.wgsl -- mandelbrot.ppm

const WIDTH = 160u;
const HEIGHT = 120u;
const ROUNDS_MAX = 64u;

var<storage, read_write> pixels: u32; // the address of three bytes for each

fn begin() {
  pixels = malloc(3u * WIDTH * HEIGHT);
  if pixels != 0u { return; }
  fputs("mandelbrot: no memory for the picture\n", stderr());
  exit(1);
}

fn main() -> i32 {
  for (var at = global_index(); at < WIDTH * HEIGHT; at += THREAD_COUNT * BLOCK_COUNT) {
    let place = vec2f(f32(at % WIDTH), f32(at / WIDTH)) / f32(HEIGHT);
    let rounds = rounds_of(place * 2.5 - vec2f(2.2, 1.25));
    heap_set_u8(pixels + 3u * at, 4u * rounds % 256u);
    heap_set_u8(pixels + 3u * at + 1u, 16u * rounds % 256u);
    heap_set_u8(pixels + 3u * at + 2u, 64u * rounds % 256u);
  }
  return 0;
}

// How many rounds a point stays near 0: at most ROUNDS_MAX, as those of the set do for ever.
fn rounds_of(point: vec2f) -> u32 {
  var z = vec2f();
  for (var round = 0u; round < ROUNDS_MAX; round++) {
    z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + point;
    if dot(z, z) > 4.0 { return round; }
  }
  return ROUNDS_MAX;
}

fn end(argc: u32, argv: u32) {
  if argc != 2u {
    fputs("usage: mandelbrot FILE.ppm\n", stderr());
    exit(2);
  }
  let name = heap_u32(argv + 4u);
  let file = fopen(name, "wb");
  if is_null(file) {
    perror(name);
    exit(1);
  }
  fputs("P6\n160 120\n255\n", file);
  fwrite(pixels, 3u * WIDTH * HEIGHT, file);
  fclose(file);
}
