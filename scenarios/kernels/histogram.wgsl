// Counts how often each byte occurs in a file. Threads read in turn, and count together.
//   deno task run --threads 8 scenarios/kernels/histogram.wgsl -- README.md

const CHUNK_BYTES = 4096u;

var<storage, read_write> counts: array<atomic<u32>, 256>;

fn main(argc: u32, argv: u32) -> i32 {
  if argc != 2u {
    if global_index() == 0u { fputs("usage: histogram FILE\n", stderr()); }
    return 2;
  }
  let name = heap_u32(argv + 4u);
  let file = fopen(name, "rb");
  if is_null(file) {
    perror(name);
    return 1;
  }
  let chunk = malloc(CHUNK_BYTES);
  let step = CHUNK_BYTES * THREAD_COUNT * BLOCK_COUNT;
  for (var start = CHUNK_BYTES * global_index(); ; start += step) {
    fseek(file, vec2u(start, 0u), 0);
    let byte_count = fread(chunk, CHUNK_BYTES, file);
    if byte_count == 0u { break; }
    for (var at = 0u; at < byte_count; at++) { atomicAdd(&counts[heap_u8(chunk + at)], 1u); }
  }
  fclose(file);
  return 0;
}

fn end() {
  for (var byte = 0u; byte < 256u; byte++) {
    let count = atomicLoad(&counts[byte]);
    if count > 0u { printf("%3u %u\n", byte, count); }
  }
}
