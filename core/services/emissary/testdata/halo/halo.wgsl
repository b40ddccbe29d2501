// Waves relax a grid together, in one process or several: each has some columns, and exchanges its
// rows with the wave of the same number in the processes above and below. The first wave starts MPI,
// and writes what has become of the rows to a file.

@service(40000) fn turn(); // does nothing: whoever calls it goes on in the next epoch

@group(1) @binding(0) var<storage, read_write> addresses: array<u32>; // FROM, TO, SCRATCH, PATH

const ROWS = 24u;
const COLUMNS = 32u;
const STEPS = 12u;
const WAVES = 4u;
const COLUMNS_EACH = COLUMNS / WAVES;
const NOBODY = -1; // MPI_PROC_NULL
const NONE = vec2u();

/// Waits for all waves. What they wrote is seen: the last turn begins an epoch after all have come.
fn meet(count: u32) {
  let meeting = addresses[2];
  heap_add_u32(meeting, 1u);
  while heap_u32(meeting) < count * WAVES { turn(); }
  turn();
}

/// Sends a row's part up or down, and takes the one that comes from the other side.
fn exchange(sent: u32, there: i32, taken: u32, whence: i32, comm: vec2u) {
  let float = mpi_Datatype("MPI_FLOAT");
  let count = i32(COLUMNS_EACH);
  let tag = i32(wave_index);
  mpi_Sendrecv(sent, 4u * COLUMNS_EACH, count, float, there, tag, taken, 4u * COLUMNS_EACH, count, float, whence, tag, comm, 0u);
}

fn kernel() {
  if wave_index == 0u { mpi_Init_thread(0); }
  meet(1u);
  let comm = mpi_Comm("MPI_COMM_WORLD");
  let rank = mpi_Comm_rank(comm);
  let size = mpi_Comm_size(comm);
  let row_count = ROWS / u32(size);
  let above = select(rank - 1, NOBODY, rank == 0);
  let below = select(rank + 1, NOBODY, rank == size - 1);
  let first = wave_index * COLUMNS_EACH;
  let row_bytes = 4u * COLUMNS;
  var grid = addresses[0];
  var other = addresses[1];

  for (var row = 1u; row <= row_count; row++) {
    for (var column = first; column < first + COLUMNS_EACH; column++) {
      var value = 0f;
      if column == 0u { value = 1f; }
      if column == COLUMNS - 1u { value = f32(u32(rank) * row_count + row - 1u) * 0.125; }
      heap_set_f32(grid + row * row_bytes + 4u * column, value);
    }
  }
  for (var i = 0u; i < STEPS; i++) {
    let mine = grid + 4u * first;
    exchange(mine + row_bytes, above, mine + (row_count + 1u) * row_bytes, below, comm);
    exchange(mine + row_count * row_bytes, below, mine, above, comm);
    meet(2u + i);
    for (var row = 1u; row <= row_count; row++) {
      for (var column = first; column < first + COLUMNS_EACH; column++) {
        let at = grid + row * row_bytes + 4u * column;
        var value = heap_f32(at);
        if column > 0u && column < COLUMNS - 1u {
          let vertical = heap_f32(at - row_bytes) + heap_f32(at + row_bytes);
          let horizontal = heap_f32(at - 4u) + heap_f32(at + 4u);
          value = 0.25 * (vertical + horizontal);
        }
        heap_set_f32(other + row * row_bytes + 4u * column, value);
      }
    }
    let swapped = grid;
    grid = other;
    other = swapped;
  }
  meet(2u + STEPS);
  if wave_index == 0u {
    write_rows(grid + row_bytes, row_count);
    mpi_Finalize();
  }
}

/// Writes the rows to a file that is new.
fn write_rows(rows: u32, row_count: u32) {
  let dims = addresses[2] + 16u;
  heap_set_vec2u(dims, vec2u(row_count, 0u)); // numbers of 64 bits, the low word first
  heap_set_vec2u(dims + 8u, vec2u(COLUMNS, 0u));
  let file = hdf5_H5Fcreate(addresses[3], 2u, NONE, NONE);
  let space = hdf5_H5Screate_simple(2, dims, 0u);
  let float = hdf5_H5T_NATIVE_FLOAT();
  let dataset = hdf5_H5Dcreate2(file, "rows", float, space, NONE, NONE, NONE);
  hdf5_H5Dwrite(dataset, float, NONE, NONE, NONE, rows, 4u * row_count * COLUMNS);
  hdf5_H5Dclose(dataset);
  hdf5_H5Sclose(space);
  hdf5_H5Fclose(file);
}
