// Counts the lines, words and bytes of a file. Every thread counts a part of its own.
//   deno task run --threads 8 scenarios/kernels/wc.wgsl -- README.md

const CHUNK_BYTES = 4096u;

var<storage, read_write> lines: atomic<u32>;
var<storage, read_write> words: atomic<u32>;
var<storage, read_write> bytes: atomic<u32>;

fn is_space(byte: u32) -> bool { return byte == 32u || byte - 9u < 5u; }

fn main(argc: u32, argv: u32) -> i32 {
  if argc != 2u {
    if global_index() == 0u { fputs("usage: wc FILE\n", stderr()); }
    return 2;
  }
  let name = heap_u32(argv + 4u);
  let file = fopen(name, "r");
  if is_null(file) {
    perror(name);
    return 1;
  }
  let chunk = malloc(CHUNK_BYTES + 1u);
  let step = CHUNK_BYTES * THREAD_COUNT * BLOCK_COUNT;
  for (var start = CHUNK_BYTES * global_index(); ; start += step) {
    // A word may have begun in the part before: its last byte tells.
    let before = min(start, 1u);
    fseek(file, vec2u(start - before, 0u), 0);
    let count = fread(chunk, CHUNK_BYTES + before, file);
    if count == 0u && host_errno != 0 {
      perror(name);
      return 1;
    }
    if count <= before { break; }
    count_part(chunk, before, count);
  }
  free(chunk);
  fclose(file);
  return 0;
}

// Counts what is in memory from `first` on.
fn count_part(chunk: u32, first: u32, end: u32) {
  var line_count = 0u;
  var word_count = 0u;
  var in_word = first == 1u && !is_space(heap_u8(chunk));
  for (var at = first; at < end; at++) {
    let byte = heap_u8(chunk + at);
    if byte == 10u { line_count++; }
    if !is_space(byte) && !in_word { word_count++; }
    in_word = !is_space(byte);
  }
  atomicAdd(&lines, line_count);
  atomicAdd(&words, word_count);
  atomicAdd(&bytes, end - first);
}

fn end() {
  printf("%u %u %u\n", atomicLoad(&lines), atomicLoad(&words), atomicLoad(&bytes));
}
