import { type MpiFunctions } from "./mpi_api.ts";
import { type Bytes, Collective } from "./collectives.ts";
import type { MpiComm, MpiDatatype, MpiSession } from "./mpi_session.ts";

/** What gives values of one process or of all to one or to all, of each process as many. */
export function exchangeFunctions(
  session: MpiSession,
): Pick<MpiFunctions, "Bcast" | "Gather" | "Scatter" | "Allgather" | "Alltoall"> {
  const toAll = (action: "Allgather" | "Alltoall"): MpiFunctions["Alltoall"] => {
    return (sent, count, datatype, taken, takenCount, takenType, comm) => {
      const call = new Collective(session, action, comm);
      const { size: times } = call;
      const sentTimes = action === "Alltoall" ? times : 1;
      const place = call.placed({ bytes: sent, count, datatype, times: sentTimes });
      call.checked({ bytes: taken, count: takenCount, datatype: takenType, times });
      const symbol = call.symbols[action === "Alltoall" ? "MPI_Ialltoall" : "MPI_Iallgather"];
      const from = [place, count, datatype.value] as const;
      const to = [call.place(taken), takenCount, takenType.value, comm.value] as const;
      return call.run([sent, taken], (request) => symbol(...from, ...to, request));
    };
  };
  return {
    Bcast: (bytes, count, datatype, root, comm) => {
      const call = new Collective(session, "Bcast", comm);
      const what = [call.checked({ bytes, count, datatype }), count, datatype.value] as const;
      const { value } = call.comm;
      return call.run([bytes], (place) => call.symbols.MPI_Ibcast(...what, root, value, place));
    },
    Gather: (sent, count, datatype, given, takenCount, takenType, root, comm) => {
      const call = new Collective(session, "Gather", comm);
      const place = call.placed({ bytes: sent, count, datatype }, call.isRoot(root));
      const all = { count: takenCount, datatype: takenType, times: call.size };
      const taken = call.rooted(root, { bytes: given, ...all });
      const from = [place, count, datatype.value] as const;
      const to = [call.place(taken), takenCount, takenType.value, root, comm.value] as const;
      return call.run(
        [sent, taken],
        (request) => call.symbols.MPI_Igather(...from, ...to, request),
      );
    },
    Scatter: (given, count, datatype, taken, takenCount, takenType, root, comm) => {
      const call = new Collective(session, "Scatter", comm);
      const own = { bytes: taken, count: takenCount, datatype: takenType };
      const place = call.placed(own, call.isRoot(root));
      const sent = call.rooted(root, { bytes: given, count, datatype, times: call.size });
      const from = [call.place(sent), count, datatype.value] as const;
      const to = [place, takenCount, takenType.value, root, comm.value] as const;
      return call.run(
        [sent, taken],
        (request) => call.symbols.MPI_Iscatter(...from, ...to, request),
      );
    },
    Allgather: toAll("Allgather"),
    Alltoall: toAll("Alltoall"),
  };
}

/** Elements of several processes in one buffer. */
interface Parts {
  readonly bytes: Bytes;
  /** How many elements of each process, i32 each. */
  readonly counts: Bytes;
  /** From which element on. */
  readonly places: Bytes;
  readonly datatype: MpiDatatype;
}

/** A buffer of several processes, as the library takes it; nothing where this process has none. */
type PartsInC = readonly [Deno.PointerValue, Bytes, Bytes, MpiComm["value"]];

/**
 * Checks that all parts lie within the buffer.
 *
 * @throws {RangeError} when one does not: the library would go beyond it
 */
function partsOf(call: Collective, parts: Parts): PartsInC {
  const { bytes, counts, places, datatype: { name, extentBytes, value } } = parts;
  const [all, firsts] = [counts, places].map((numbers) => numbersOf(call, numbers));
  const room = bytes?.length ?? 0;
  for (const [rank, count] of all!.entries()) {
    const [first, end] = [firsts![rank]! * extentBytes, (firsts![rank]! + count) * extentBytes];
    if (count === 0 || count > 0 && first >= 0 && end <= room) continue;
    throw new RangeError(
      `Cannot call mpi.${call.action} as the ${count} of ${name} of process ${rank} must be within the buffer: from byte ${first} to ${end} of ${room}`,
    );
  }
  return [call.place(bytes ?? new Uint8Array()), counts, places, value];
}

function numbersOf({ action, size }: Collective, bytes: Bytes): Int32Array {
  if (bytes?.length === 4 * size) return new Int32Array(bytes.slice().buffer);
  throw new RangeError(
    `Cannot call mpi.${action} as there must be a number of 4 bytes for each of ${size} processes: their length is ${
      bytes?.length ?? 0
    }`,
  );
}

/** As {@linkcode partsOf}, of the one process that has them. */
function rootedParts(call: Collective, root: number, parts: Parts): PartsInC {
  if (call.isRoot(root)) return partsOf(call, parts);
  call.rooted(root, { bytes: parts.bytes, count: 0, datatype: parts.datatype });
  return [null, null, null, parts.datatype.value];
}

/** As {@linkcode exchangeFunctions}, with another number of elements for each process. */
export function variedFunctions(
  session: MpiSession,
): Pick<MpiFunctions, "Gatherv" | "Scatterv" | "Allgatherv" | "Alltoallv"> {
  return {
    Gatherv: (sent, count, datatype, bytes, counts, places, takenType, root, comm) => {
      const call = new Collective(session, "Gatherv", comm);
      const place = call.placed({ bytes: sent, count, datatype }, call.isRoot(root));
      const to = rootedParts(call, root, { bytes, counts, places, datatype: takenType });
      const what = [place, count, datatype.value, ...to, root, comm.value] as const;
      const kept = [sent, bytes, counts, places];
      return call.run(kept, (request) => call.symbols.MPI_Igatherv(...what, request));
    },
    Scatterv: (bytes, counts, places, datatype, taken, count, takenType, root, comm) => {
      const call = new Collective(session, "Scatterv", comm);
      const from = rootedParts(call, root, { bytes, counts, places, datatype });
      const place = call.placed({ bytes: taken, count, datatype: takenType }, call.isRoot(root));
      const what = [...from, place, count, takenType.value, root, comm.value] as const;
      const kept = [taken, bytes, counts, places];
      return call.run(kept, (request) => call.symbols.MPI_Iscatterv(...what, request));
    },
    Allgatherv: (sent, count, datatype, bytes, counts, places, takenType, comm) => {
      const call = new Collective(session, "Allgatherv", comm);
      const place = call.placed({ bytes: sent, count, datatype });
      const to = partsOf(call, { bytes, counts, places, datatype: takenType });
      const what = [place, count, datatype.value, ...to, comm.value] as const;
      const kept = [sent, bytes, counts, places];
      return call.run(kept, (request) => call.symbols.MPI_Iallgatherv(...what, request));
    },
    Alltoallv: (sent, sentCounts, sentPlaces, datatype, bytes, counts, places, takenType, comm) => {
      const call = new Collective(session, "Alltoallv", comm);
      const parts = { bytes: sent, counts: sentCounts, places: sentPlaces, datatype };
      const from: PartsInC = sent === null
        ? [call.place("in place"), null, null, datatype.value]
        : partsOf(call, parts);
      const to = partsOf(call, { bytes, counts, places, datatype: takenType });
      const what = [...from, ...to, comm.value] as const;
      const kept = [sent, sentCounts, sentPlaces, bytes, counts, places];
      return call.run(kept, (request) => call.symbols.MPI_Ialltoallv(...what, request));
    },
  };
}
