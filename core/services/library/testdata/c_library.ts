/** Functions of the C library, for tests: a module for `startServer`, with `--allow-ffi` on Linux. */
import type { Server } from "../../../toggle/server/server.ts";
import * as s from "../../../signature/mod.ts";
import type { Bytes } from "../../../signature/declaration_types.ts";
import { serveLibrary } from "../serve_library.ts";

const file = s.handle("FILE");

function buffer<D extends "in" | "out">(direction: D): Bytes<D> {
  return s.bytes(direction, s.lengthOf(1).times(s.lengthOf(2)));
}

/** As the headers of C have them. */
export const cApi = s.hostApi("c", {
  strlen: s.fn([s.string], s.usize),
  div: s.fn([s.i32, s.i32], s.struct({ quot: s.i32, rem: s.i32 })),
  labs: s.fn([s.i64], s.i64),
  ldexp10: s.fn([s.f64, s.constant(s.i32, 10)], s.f64),
  frexp: s.fn([s.f64, s.pointer("out", s.struct({ value: s.i32 }))], s.f64),
  getenv: s.fn([s.string], s.nullable(s.string)),
  memfrob: s.fn([s.bytes("inout", s.lengthOf(1)), s.usize], s.nothing),
  // The callback gets pointers in C; what it compares here are the numbers behind them.
  qsort: s.fn(
    [
      s.bytes("inout", s.lengthOf(1).times(s.lengthOf(2))),
      s.usize,
      s.usize,
      s.callback([s.usize, s.usize], s.i32),
    ],
    s.nothing,
  ),
  posix_memalign: s.fn([
    s.pointer("out", s.struct({ memory: s.nullable(s.handle("Memory")) })),
    s.usize,
    s.usize,
  ], s.i32),
  malloc_usable_size: s.fn([s.handle("Memory")], s.usize),
  malloc: s.fn([s.usize], s.handle("Memory")),
  free: s.fn([s.nullable(s.ends("Memory"))], s.nothing),
  fopen: s.fn([s.string, s.string], s.nullable(file), { failsWith: null }),
  fclose: s.fn([s.ends("FILE")], s.i32, { failsWith: -1 }),
  fread: s.fn([buffer("out"), s.usize, s.usize, file], s.usize),
  fwrite: s.fn([buffer("in"), s.usize, s.usize, file], s.usize),
  fseek: s.fn([file, s.i64, s.i32], s.i32, { failsWith: -1 }),
  usleep: s.fn([s.u32], s.i32, { blocking: true }),
  pause: s.fn([], s.i32),
  lengthOfNothing: s.fn([s.nullable(s.string)], s.usize),
  abort: s.fn([], s.nothing),
});

/** Where they are. */
export const cSource = {
  files: ["libc.so.6"],
  symbols: { ldexp10: "ldexp", lengthOfNothing: "strlen" },
} as const;

/** A callback that compares numbers by their addresses. */
export function byInt(left: bigint, right: bigint): number {
  return intAt(left) - intAt(right);
}

function intAt(address: bigint): number {
  return new Deno.UnsafePointerView(Deno.UnsafePointer.create(address)!).getInt32();
}

/** What `startServer` calls. */
export function addServices(server: Server): void {
  serveLibrary(new s.ApiServer(server), cApi, cSource);
}
