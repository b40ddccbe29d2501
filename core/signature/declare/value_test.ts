/** What the compiler refuses: `deno check` fails where one of these lines is accepted. */
import { assertEquals } from "@std/assert";
import type { HostStubs } from "../client/connect_api.ts";
import type { HostFunctions } from "../server/api_server.ts";
import * as kind from "./kind.ts";
import { fn, hostApi } from "./signature.ts";
import type { Handle } from "./value.ts";

const point = kind.struct({ x: kind.f64, at: kind.struct({ on: kind.bool, count: kind.i64 }) });
const api = hostApi("types", {
  open: fn([kind.string], kind.handle("File")),
  join: fn([kind.handle("File"), kind.handle("Folder")], kind.nothing),
  size: fn([kind.handle("File|Folder")], kind.u32),
  mixed: fn([kind.i64, kind.constant(kind.i32, 1), kind.bool, kind.bytes("out")], kind.u64),
  move: fn([kind.pointer("inout", point), kind.nullable(kind.pointer("in", point))], point),
  find: fn([kind.nullable(kind.string)], kind.nullable(kind.handle("File"))),
  print: fn([kind.string, kind.variadic], kind.i32),
  each: fn([kind.callback([kind.i32, kind.i64], kind.bool)], kind.nothing),
});
type Functions = typeof api extends { functions: { [K in keyof infer _]: unknown } }
  ? { [K in keyof typeof api.functions]: (typeof api.functions)[K]["signature"] }
  : never;

/** Never called: only the compiler reads it. */
function callers(
  stubs: HostStubs<Functions>,
  file: Handle<"File">,
  folder: Handle<"Folder">,
): void {
  stubs.join(file, folder);
  // @ts-expect-error two handles of other kinds
  stubs.join(folder, file);
  stubs.size(file) + stubs.size(folder);
  // @ts-expect-error neither of the two
  stubs.size(file as number as Handle<"Port">);
  // @ts-expect-error a number is no handle
  stubs.join(5, folder);
  // @ts-expect-error an argument is missing
  stubs.join(file);
  // @ts-expect-error one too many
  stubs.open("a", "b");
  stubs.mixed(1n, true, new Uint8Array(1));
  // @ts-expect-error a constant is not given
  stubs.mixed(1n, 1, true, new Uint8Array(1));
  // @ts-expect-error 64 bits are a bigint
  stubs.mixed(1, true, new Uint8Array(1));
  // @ts-expect-error bytes are a Uint8Array
  stubs.mixed(1n, true, new Uint16Array(1));
  const opened: Handle<"File"> = stubs.open("a");
  // @ts-expect-error another handle
  const other: Handle<"Folder"> = stubs.open("a");
  // @ts-expect-error may be null
  const found: Handle<"File"> = stubs.find(null);
  const big: bigint = stubs.mixed(1n, true, new Uint8Array(1));
  // @ts-expect-error a bigint is no number
  const small: number = stubs.mixed(1n, true, new Uint8Array(1));
  stubs.print("", 1, 2n, "three", true, { type: "u32", value: 4 });
  // @ts-expect-error an object without a type
  stubs.print("", { value: 4 });
  stubs.each("named");
  // @ts-expect-error a function cannot cross
  stubs.each(() => true);
  stubs.open.lanes([["a"], undefined]);
  // @ts-expect-error a lane with too few
  stubs.join.lanes([[file]]);
  const later: Promise<Handle<"File">> = stubs.open.async("a");
  // @ts-expect-error read only
  stubs.open.errno = 1;
  void [opened, other, found, big, small, later];
}

/** Never called. */
function hosts(): readonly Partial<HostFunctions<Functions>>[] {
  return [
    {
      open: (path) => ({ path }),
      mixed: (big, one, isOn, array) => big + BigInt(one + Number(isOn) + array.length),
    },
    { each: (work) => void work(1, 2n), print: (text, values) => text.length + values.length },
    { move: (target) => ({ x: target.x, at: { on: true, count: target.at.count } }) },
    // @ts-expect-error a constant has the type that it was declared with
    { mixed: (big, one) => big + one },
    // @ts-expect-error the result is a bigint
    { mixed: () => 1 },
    // @ts-expect-error a promise is for serveAsync
    { print: () => Promise.resolve(1) },
    // @ts-expect-error a field is missing
    { move: () => ({ x: 1, at: { on: true } }) },
    // @ts-expect-error the callback takes an i64, too
    { each: (work) => void work(1) },
    // @ts-expect-error takes more than callers give
    { open: (path: string, more: number) => path + more },
  ];
}

Deno.test("types of callers and hosts follow the signature", () => {
  assertEquals([callers.length, hosts.length], [3, 0]);
});
