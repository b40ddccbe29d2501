import { MPI_ERR_ARG, type MpiFunctions } from "./mpi_api.ts";
import { madeByAll } from "./collectives.ts";
import type { MpiComm, MpiDatatype, MpiSession } from "./mpi_session.ts";
import type { MpiValue } from "./mpi_library.ts";

/** Datatypes that are made of others. */
export function typeFunctions(
  session: MpiSession,
): Pick<MpiFunctions, "Type_contiguous" | "Type_vector" | "Type_commit" | "Type_free"> {
  const made = (action: string, make: (place: Uint8Array) => number): MpiDatatype => {
    const place = new Uint8Array(8);
    session.check(make(place), action);
    return session.datatype(session.library.written(place)!, "a datatype of its own");
  };
  const placeOf = (action: string, { value }: MpiDatatype) => {
    session.running(action);
    return session.library.place(value);
  };
  return {
    Type_contiguous: (count, { value }) => {
      const { symbols } = session.running("Type_contiguous");
      return made("Type_contiguous", (place) => symbols.MPI_Type_contiguous(count, value, place));
    },
    Type_vector: (count, length, stride, { value }) => {
      const { symbols } = session.running("Type_vector");
      // Backwards, it would go beyond the beginning of its buffer.
      if (stride < 0) session.fail(MPI_ERR_ARG, "Type_vector");
      const what = [count, length, stride, value] as const;
      return made("Type_vector", (place) => symbols.MPI_Type_vector(...what, place));
    },
    Type_commit: (datatype) => {
      const place = placeOf("Type_commit", datatype);
      session.check(session.library.symbols.MPI_Type_commit(place), "Type_commit");
      return 0;
    },
    Type_free: (datatype: MpiDatatype) => {
      const place = placeOf("Type_free", datatype);
      session.check(session.library.symbols.MPI_Type_free(place), "Type_free");
      return 0;
    },
  };
}

/** Processes in a grid. */
export function cartFunctions(
  session: MpiSession,
): Pick<
  MpiFunctions,
  "Dims_create" | "Cart_create" | "Cart_coords" | "Cart_rank" | "Cart_shift"
> {
  const checkNumbers = (action: string, bytes: Uint8Array, count: number) => {
    if (count >= 0 && bytes.length === 4 * count) return;
    throw new RangeError(
      `Cannot call mpi.${action} as there must be a number of 4 bytes for each of ${count} dimensions: their length is ${bytes.length}`,
    );
  };
  const dimCount = (action: string, value: MpiValue) => {
    const { symbols, number } = session.running(action);
    session.check(symbols.MPI_Cartdim_get(value, number), action);
    return number[0]!;
  };
  return {
    Dims_create: (processes, dims, numbers) => {
      const { symbols } = session.running("Dims_create");
      session.check(symbols.MPI_Dims_create(processes, dims, numbers), "Dims_create");
      return 0;
    },
    Cart_create: (comm, dims, sizes, areRound, mayReorder) => {
      for (const numbers of [sizes, areRound]) checkNumbers("Cart_create", numbers, dims);
      const { symbols } = session.running("Cart_create");
      const what = [comm.value, dims, sizes, areRound, mayReorder] as const;
      const make = (place: Uint8Array) => symbols.MPI_Cart_create(...what, place);
      return madeByAll(session, "Cart_create", { comm, make });
    },
    Cart_coords: ({ value }: MpiComm, rank, dims, coords) => {
      checkNumbers("Cart_coords", coords, dims);
      const { symbols } = session.running("Cart_coords");
      session.check(symbols.MPI_Cart_coords(value, rank, dims, coords), "Cart_coords");
      return 0;
    },
    Cart_rank: ({ value }: MpiComm, coords) => {
      checkNumbers("Cart_rank", coords, dimCount("Cart_rank", value));
      const { symbols, number } = session.library;
      session.check(symbols.MPI_Cart_rank(value, coords, number), "Cart_rank");
      return number[0]!;
    },
    Cart_shift: ({ value }: MpiComm, direction, step, neighbours) => {
      const library = session.running("Cart_shift");
      const [source, destination] = [new Int32Array(1), new Int32Array(1)];
      const code = library.symbols.MPI_Cart_shift(value, direction, step, source, destination);
      session.check(code, "Cart_shift");
      // The two numbers of Open MPI are each other's: the same step back.
      neighbours.source = library.rankOf(source[0]!);
      neighbours.destination = library.rankOf(destination[0]!);
      return 0;
    },
  };
}
