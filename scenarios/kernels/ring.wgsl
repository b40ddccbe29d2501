// Sends a sum around all processes of MPI, to which each adds its rank.
//   mpiexec -n 2 deno task run scenarios/kernels/ring.wgsl

fn main() -> i32 {
  mpi_Init_thread(0);
  let world = mpi_Comm("MPI_COMM_WORLD");
  let integer = mpi_Datatype("MPI_INT");
  let rank = mpi_Comm_rank(world);
  let size = mpi_Comm_size(world);
  let next = (rank + 1) % size;
  let sum = malloc(4u);
  heap_set_i32(sum, rank);
  if rank > 0 {
    mpi_Recv(sum, 4u, 1, integer, rank - 1, 0, world, 0u);
    heap_set_i32(sum, heap_i32(sum) + rank);
  }
  if size > 1 { mpi_Send(sum, 4u, 1, integer, next, 0, world); }
  if rank == 0 {
    if size > 1 { mpi_Recv(sum, 4u, 1, integer, size - 1, 0, world, 0u); }
    printf("%d processes have the sum %d\n", size, heap_i32(sum));
  }
  return mpi_Finalize();
}
