// Ends with 0 when a file is ASCII. The first thread that finds another byte ends the program with 3,
// whatever the others are at.
//   deno task run --threads 8 scenarios/kernels/ascii.wgsl -- LICENSE

const CHUNK_BYTES = 4096u;

fn main(argc: u32, argv: u32) -> i32 {
  if argc != 2u { exit(2); }
  let name = heap_u32(argv + 4u);
  let file = fopen(name, "rb");
  if is_null(file) {
    perror(name);
    exit(1);
  }
  let chunk = malloc(CHUNK_BYTES);
  let step = CHUNK_BYTES * THREAD_COUNT * BLOCK_COUNT;
  for (var start = CHUNK_BYTES * global_index(); ; start += step) {
    fseek(file, vec2u(start, 0u), 0);
    let count = fread(chunk, CHUNK_BYTES, file);
    if count == 0u { break; }
    for (var at = 0u; at < count; at++) {
      if heap_u8(chunk + at) < 128u { continue; }
      printf("byte %u is %u\n", start + at, heap_u8(chunk + at));
      exit(3);
    }
  }
  return 0;
}
