// Writes files to the standard output, one after the other; "-", or no file at all, is the standard
// input. Ends with 1 when a file could not be read.
//   deno task run scenarios/kernels/cat.wgsl -- README.md

const CHUNK_BYTES = 65536u;

var<private> chunk: u32;
var<private> status: i32;

fn copy(file: vec2u, name: u32) {
  loop {
    let count = fread(chunk, CHUNK_BYTES, file);
    if count == 0u {
      if host_errno != 0 { fail(name); }
      return;
    }
    fwrite(chunk, count, stdout());
  }
}

fn fail(name: u32) {
  perror(name);
  status = 1;
}

fn main(argc: u32, argv: u32) -> i32 {
  chunk = malloc(CHUNK_BYTES);
  if argc == 1u { copy(stdin(), "-"); }
  for (var at = 1u; at < argc; at++) {
    let name = heap_u32(argv + 4u * at);
    if strcmp(name, "-") == 0 {
      copy(stdin(), name);
      continue;
    }
    let file = fopen(name, "r");
    if is_null(file) {
      fail(name);
      continue;
    }
    copy(file, name);
    fclose(file);
  }
  free(chunk);
  return status;
}
