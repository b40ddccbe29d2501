import { assert, assertEquals } from "@std/assert";
import type { Server } from "../../../toggle/server/server.ts";
import type { KernelHeap } from "../../../gpu/heap/device_heap.ts";
import { onDevice } from "../../../gpu/device/on_device_test.ts";
import { runKernel } from "../../../gpu/epochs/kernel_run_test.ts";
import { ApiServer, type HostApi } from "../../../signature/mod.ts";
import type { ApiFunction } from "../../../signature/declaration_types.ts";
import { functionOpcode } from "../../../signature/server/function_table.ts";
import { wgslStubs } from "../../../signature/wgsl/mod.ts";
import { ByteSlots, SLOT_CODECS } from "../../../signature/wire/slot.ts";
import { callShape } from "../../../signature/wire/call_shape.ts";
import { libcApi, libmApi } from "./libc_api.ts";
import { libcCallbacks, serveLibc, serveLibm } from "./serve_libc.ts";
import { LIBC_CALLS } from "./testdata/libc_calls.ts";
import { isNear, LIBM_CALLS } from "./testdata/libm_calls.ts";

const isLinux = Deno.build.os === "linux";
const LANES = 2;
const HEAP_BYTES = 1 << 12;
/** Floats are as near as floats are, and doubles are rounded to floats. */
const PRECISION = 2e-6;

/** A call in a kernel: a row of words for it, and what becomes of the two words of its result. */
interface KernelCall {
  readonly target: ApiFunction;
  readonly row: readonly number[];
  readonly check: (result: unknown) => void;
}

/** Opcode, hash, count of arguments, whether the result is a double, and for each argument the same. */
const ROW_WORDS = 16;

function rowOf(target: ApiFunction, given: readonly unknown[]): number[] {
  const { parameters, result } = target.signature;
  const kinds = parameters.filter(({ kind }) => kind !== "constant");
  const values = kinds.flatMap((kind, index) => {
    const type = kind.kind === "scalar" ? kind.type : "usize";
    // A kernel has the double as a float, and widens it.
    const slots = new ByteSlots(new Uint8Array(8));
    SLOT_CODECS[type === "f64" ? "f32" : type].write(slots, 0, given[index]);
    return [Number(type === "f64"), slots.getUint32(0), slots.getUint32(1)];
  });
  const isDouble = Number(result.kind === "scalar" && result.type === "f64");
  const row = [functionOpcode(target.name), target.hash, kinds.length, isDouble, ...values];
  return [...row, ...Array(ROW_WORDS - row.length).fill(0)];
}

/** What stands in a lane's words. */
function resultOf({ signature: { result } }: ApiFunction, words: Int32Array): unknown {
  if (result.kind !== "scalar") return undefined;
  const slots = new ByteSlots(new Uint8Array(words.slice().buffer));
  return SLOT_CODECS[result.type === "f64" ? "f32" : result.type].read(slots, 0);
}

/** Those that fit a packet. */
function flatFunctions(api: HostApi): [string, ApiFunction][] {
  return Object.entries(api.functions).filter(([, { signature }]) => callShape(signature).flat);
}

const calls: readonly KernelCall[] = [
  ...flatFunctions(libmApi).map(([name, target]) => {
    const [given, wanted] = LIBM_CALLS[name as keyof typeof LIBM_CALLS];
    const rounded = typeof wanted === "number" ? Math.fround(wanted) : wanted;
    const check = (value: unknown) => {
      assert(isNear(value, rounded, PRECISION), `${value} and not ${rounded}`);
    };
    return { target, row: rowOf(target, given), check };
  }),
  ...flatFunctions(libcApi).map(([name, target]) => {
    const { given, check } = LIBC_CALLS[name as keyof typeof LIBC_CALLS];
    return { target, row: rowOf(target, given()), check: (value: unknown) => check(value, []) };
  }),
];

/** Answers a number of a call with its row. */
const ROW_OF = 40_001;

/** One call site for all functions, as each one costs the compiler a fifth of a second. */
const source = `${wgslStubs()}
struct Frame { index: u32, is_double: u32 }
@group(1) @binding(0) var<storage, read_write> results: array<u32>;
const COUNT = ${calls.length}u;

fn step_0() {
  if frame.index == COUNT { finish(); return; }
  packet_set(0u, frame.index);
  call(${ROW_OF}u);
}

fn step_1() {
  frame.is_double = reply(3u);
  packet_set(0u, reply(1u));
  packet_set(1u, 0u);
  for (var argument = 0u; argument < reply(2u); argument++) {
    let place = 4u + 3u * argument;
    var value = vec2u(reply(place + 1u), reply(place + 2u));
    if reply(place) == 1u { value = double_bits(bitcast<f32>(value.x)); }
    packet_set(2u * argument + 2u, value.x);
    packet_set(2u * argument + 3u, value.y);
  }
  call(reply(0u));
}

fn step_2() {
  let place = 2u * (lane_index * COUNT + frame.index);
  let value = vec2u(reply(2u), reply(3u));
  results[place] = select(value.x, double_float_bits(value), frame.is_double == 1u);
  results[place + 1u] = value.y;
  frame.index++;
  go(0u);
}`;

/** With a heap: without one, a function of texts keeps the opcode that another one has, too. */
function serveBoth(server: Server, heap: KernelHeap): void {
  const apis = new ApiServer(server, { callbacks: libcCallbacks, heap });
  serveLibm(apis);
  serveLibc(apis);
}

function registerWithRows(server: Server, { heap }: { readonly heap: KernelHeap }): void {
  serveBoth(server, heap);
  server.operatePort(ROW_OF, (port) =>
    port.recvAndSend((packet) =>
      packet.forEachLane((lane) => {
        const { row } = calls[packet.getUint32(lane, 0)]!;
        row.forEach((value, word) => packet.setUint32(lane, word, value));
      })
    ));
}

onDevice("a kernel's lanes call each function of libm and libc that fits a packet", async (gpu) => {
  if (!isLinux) return;
  assertEquals(calls.length, 157);
  const { results, faults } = await runKernel(gpu, {
    source,
    portCount: 1,
    laneCount: LANES,
    waveCount: 1,
    resultWords: 2 * LANES * calls.length,
    heapBytes: HEAP_BYTES,
    register: registerWithRows,
  });
  assertEquals(faults, []);
  for (let index = 0; index < LANES * calls.length; index++) {
    const { target, check } = calls[index % calls.length]!;
    try {
      check(resultOf(target, results.subarray(2 * index, 2 * index + 2)));
    } catch (cause) {
      throw new Error(`Cannot go on after ${target.text}: ${cause}`, { cause });
    }
  }
});

onDevice("a kernel calls C by the names of its functions", async (gpu) => {
  if (!isLinux) return;
  const { results, faults } = await runKernel(gpu, {
    source: `${wgslStubs(libmApi, libcApi)}
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn kernel() {
      let power = libm_pow(2.0, f32(lane_index));
      let rounded = libm_llrint(power + 0.75);
      let length = libc_strlen("a text of the heap");
      results[lane_index] = u32(power) + rounded.x + u32(libc_abs(-100i)) + 1000u * length.x;
    }`,
    portCount: 1,
    laneCount: LANES,
    waveCount: 1,
    resultWords: LANES,
    heapBytes: HEAP_BYTES,
    register: (server, { heap }) => serveBoth(server, heap),
  });
  assertEquals([[...results], faults], [[18_103, 18_105], []]);
});
