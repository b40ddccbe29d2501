import type { Server } from "../../../toggle/server/server.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { type ServedLibrary, serveLibrary } from "../../library/serve_library.ts";
import { checkComparison, type Comparison, libcCallbacks } from "./comparisons.ts";
import { libcApi } from "./libc_api.ts";
import { libmApi } from "./libm_api.ts";

const PACKAGE = { packageHint: "the Debian package libc6: glibc is needed" };

/**
 * Serves C's mathematics.
 *
 * @throws as `serveLibrary`, where glibc is not
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../../mod.ts";
 * import { ApiServer } from "../../../signature/mod.ts";
 * import { serveLibm } from "./serve_libc.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * if (Deno.build.os === "linux") serveLibm(new ApiServer(server));
 * ```
 */
export function serveLibm(server: ApiServer): ServedLibrary {
  return serveLibrary(server, libmApi, { files: ["libm.so.6"], ...PACKAGE });
}

/**
 * Serves functions of the C library.
 *
 * @param server made with `callbacks: libcCallbacks`, where `qsort` is called
 * @throws as `serveLibrary`, where glibc is not
 *
 * @example
 * ```ts
 * import { Channel, Server } from "../../../mod.ts";
 * import { ApiServer } from "../../../signature/mod.ts";
 * import { libcCallbacks } from "./comparisons.ts";
 * import { serveLibc } from "./serve_libc.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * if (Deno.build.os === "linux") serveLibc(new ApiServer(server, { callbacks: libcCallbacks }));
 * ```
 */
export function serveLibc(server: ApiServer): ServedLibrary {
  return serveLibrary(server, libcApi, {
    files: ["libc.so.6"],
    ...PACKAGE,
    checks: {
      div: (numerator, denominator) => checkDivision(BigInt(numerator), BigInt(denominator), 32n),
      ldiv: (numerator, denominator) => checkDivision(numerator, denominator, 64n),
      lldiv: (numerator, denominator) => checkDivision(numerator, denominator, 64n),
      qsort: (_rows, _count, rowBytes, compare) => checkComparison(compare as Comparison, rowBytes),
    },
  });
}

/** Both, for `startServer`: a module with this function, to be run with `--allow-ffi`. */
export function register(server: Server): void {
  const api = new ApiServer(server, { callbacks: libcCallbacks });
  serveLibm(api);
  serveLibc(api);
}

/** The processor ends the process for these two. */
function checkDivision(numerator: bigint, denominator: bigint, bits: bigint): void {
  const isTooLarge = denominator === -1n && numerator === -(2n ** (bits - 1n));
  if (denominator !== 0n && !isTooLarge) return;
  throw new RangeError(
    `Cannot divide ${numerator} by ${denominator} as C has no result for it: it would end the process`,
  );
}
