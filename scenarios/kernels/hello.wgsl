// Greets from every thread.
//   deno task run --threads 4 scenarios/kernels/hello.wgsl

fn main() -> i32 {
  printf("Hello from thread %u of %u\n", thread_index(), THREAD_COUNT);
  return 0;
}
