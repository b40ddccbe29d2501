// The area below 4 / (1 + x * x): the waves of all processes take steps in turn, and process 0 has the
// sums of all processes, one for each wave.

const STEPS = 4096u;

fn kernel() {
  start();
  let comm = mpi_Comm("MPI_COMM_WORLD");
  let rank = mpi_Comm_rank(comm);
  let size = u32(mpi_Comm_size(comm));
  let parts = addresses[0] + OWN_BYTE;
  let sums = parts + 8u * WAVE_COUNT;

  var area = 0f;
  for (var step = u32(rank) * WAVE_COUNT + wave_index; step < STEPS; step += size * WAVE_COUNT) {
    let x = (f32(step) + 0.5) / f32(STEPS);
    area += 4f / (1f + x * x) / f32(STEPS);
  }
  heap_set_f64(parts + 8u * wave_index, area);
  if is_last() {
    let double = mpi_Datatype("MPI_DOUBLE");
    let sum = mpi_Op("MPI_SUM");
    let count = i32(WAVE_COUNT);
    let bytes = 8u * WAVE_COUNT;
    mpi_Reduce(parts, bytes, sums, bytes, count, double, sum, 0, comm);
  }
  finish();
}
