// A number goes round all processes, once for each wave: all waves wait at a time, in an order of tags
// that is not the order of waves.

fn kernel() {
  start();
  let comm = mpi_Comm("MPI_COMM_WORLD");
  let double = mpi_Datatype("MPI_DOUBLE");
  let rank = mpi_Comm_rank(comm);
  let size = mpi_Comm_size(comm);
  let token = addresses[0] + OWN_BYTE + 8u * wave_index;
  let tag = i32(WAVE_COUNT - wave_index);
  let before = (rank + size - 1) % size;
  heap_set_f64(token, f32(wave_index));
  if rank > 0 { mpi_Recv(token, 8u, 1, double, before, tag, comm, 0u); }
  heap_set_f64(token, heap_f64(token) + f32(rank) + 0.5);
  mpi_Send(token, 8u, 1, double, (rank + 1) % size, tag, comm);
  if rank == 0 { mpi_Recv(token, 8u, 1, double, before, tag, comm, 0u); }
  finish();
}
