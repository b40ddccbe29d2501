import { MPI_ERR_ARG, type MpiFunctions } from "./mpi_api.ts";
import type { ApiServer } from "../../../signature/mod.ts";
import { madeByAll } from "./communicators.ts";
import type { MpiComm, MpiDatatype, MpiSession } from "./mpi_session.ts";

/** Datatypes that are made of others. */
export function typeFunctions(
  session: MpiSession,
  server: ApiServer,
): Pick<MpiFunctions, "Type_contiguous" | "Type_vector" | "Type_commit" | "Type_free"> {
  const made = (make: (place: Uint8Array) => number): MpiDatatype => {
    const place = new Uint8Array(8);
    make(place);
    return session.datatype(session.library.written(place)!, "a datatype of its own");
  };
  return {
    Type_contiguous: (count, { value }) =>
      made((place) => session.call("Type_contiguous", [count, value, place])),
    Type_vector: (count, length, stride, { value }) => {
      session.running("Type_vector");
      // Backwards, it would go beyond the beginning of its buffer.
      if (stride < 0) session.fail(MPI_ERR_ARG, "Type_vector");
      return made((place) => session.call("Type_vector", [count, length, stride, value, place]));
    },
    Type_commit: ({ value }: MpiDatatype) => {
      session.call("Type_commit", [session.library.place(value)]);
      return 0;
    },
    Type_free: (datatype) => session.free("Datatype", datatype, server),
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
  return {
    Dims_create: (processes, dims, numbers) => {
      session.call("Dims_create", [processes, dims, numbers]);
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
      session.call("Cart_coords", [value, rank, dims, coords]);
      return 0;
    },
    Cart_rank: ({ value }: MpiComm, coords) => {
      const { number } = session.library;
      checkNumbers("Cart_rank", coords, session.call("Cartdim_get", [value, number], "Cart_rank"));
      return session.call("Cart_rank", [value, coords, number]);
    },
    Cart_shift: ({ value }: MpiComm, direction, step, neighbours) => {
      const { library } = session;
      const [source, destination] = [new Int32Array(1), new Int32Array(1)];
      session.call("Cart_shift", [value, direction, step, source, destination]);
      // The two numbers of Open MPI are each other's: the same step back.
      neighbours.source = library.rankOf(source[0]!);
      neighbours.destination = library.rankOf(destination[0]!);
      return 0;
    },
  };
}
