// What the programs of waves have in common: one wave starts MPI, and the last ends it.

@service(40000) fn turn(); // does nothing: whoever calls it goes on in the next epoch

// Where the heap has: whether MPI runs, how many waves have ended, how many have come, a word that is
// free, and from there on the program's own.
@group(1) @binding(0) var<storage, read_write> addresses: array<u32>;
const OWN_BYTE = 16u;

fn start() {
  let is_running = addresses[0];
  if wave_index == 0u {
    mpi_Init_thread(0);
    heap_set_u32(is_running, 1u);
  }
  while heap_u32(is_running) == 0u { turn(); }
}

/// Whether all waves have come. What they wrote before is seen: the turn begins another epoch.
fn is_last() -> bool {
  let is_it = heap_add_u32(addresses[0] + 8u, 1u) == WAVE_COUNT - 1u;
  turn();
  return is_it;
}

fn finish() {
  if heap_add_u32(addresses[0] + 4u, 1u) == WAVE_COUNT - 1u { mpi_Finalize(); }
}
