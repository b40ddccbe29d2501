import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { CallError } from "../../call/call_error.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import type { Packet } from "../../memory/packet.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import type { Client } from "../../toggle/client/client.ts";
import * as kind from "../declare/kind.ts";
import { type ApiFunction, fn, hostApi } from "../declare/signature.ts";
import { structLayout } from "../declare/struct_layout.ts";
import { ArrayHeap, placeCall } from "../testdata/array_heap.ts";
import { demoApi, serveDemo } from "../testdata/demo_api.ts";
import { LoopServer, serveHere } from "../testdata/served.ts";
import { readStruct } from "../wire/struct_bytes.ts";
import { LaneSlots } from "../wire/slot.ts";
import { heapSlots } from "../wire/heap_request.ts";
import { functionOpcode } from "./function_table.ts";

const SHAPE = { portCount: 2, laneCount: 4 };

interface LaneReply {
  readonly errno: number;
  readonly words: readonly [number, number];
  readonly addresses: readonly number[];
  readonly resultAddress: number;
}

/** Calls a function as the lanes of a kernel do, each with its own values. */
function callLanes(
  { client, heap }: { readonly client: Client; readonly heap: ArrayHeap },
  target: ApiFunction,
  lanes: readonly (readonly unknown[])[],
): LaneReply[] {
  const slots = new LaneSlots();
  const placed = new Map<number, readonly number[]>();
  const room = heap.malloc(64);
  const replies: LaneReply[] = [];
  client.call(functionOpcode(target.name), {
    fill: (packet: Packet) =>
      packet.forEachLane((lane) => {
        slots.aim(packet, lane);
        if (target.signature.result.kind === "struct") {
          slots.setUint32(2 * heapSlots(target) - 2, room);
        }
        placed.set(lane, placeCall(heap, slots, { target, values: lanes[lane]! }));
      }),
    use: (packet: Packet) =>
      packet.forEachLane((lane) => {
        const words = [2, 3].map((word) => packet.getUint32(lane, word)) as [number, number];
        const errno = packet.getUint32(lane, 0) | 0;
        replies.push({ errno, words, addresses: placed.get(lane)!, resultAddress: room });
      }),
  }, { mask: laneMask(...lanes.keys()) });
  return replies;
}

function served() {
  const heap = new ArrayHeap(1 << 12);
  const { client, server } = oneThread(SHAPE);
  serveDemo(server, { heap });
  const call = (name: keyof typeof demoApi.functions, ...lanes: readonly (readonly unknown[])[]) =>
    callLanes({ client, heap }, demoApi.functions[name] as ApiFunction, lanes);
  return { heap, client, call };
}

/** The struct at an address, whose texts are addresses, too. */
function structAt(heap: ArrayHeap, address: number, struct: kind.Struct): object {
  const bytes = heap.read(address, structLayout(struct).sizeBytes).slice();
  const get = (word: bigint) => new TextDecoder().decode(heap.readText(Number(word)));
  return readStruct(new DataView(bytes.buffer), 0, { struct, texts: { put: () => 0n, get } });
}

function textOf(heap: ArrayHeap, { words }: LaneReply): string {
  return new TextDecoder().decode(heap.readText(words[0]));
}

Deno.test("a function reads and writes the heap of its callers, lane by lane", () => {
  const { heap, call } = served();
  const doubles = (...values: number[]) => new Uint8Array(new Float64Array(values).buffer);
  const sums = call("sum", [doubles(1, 2.5), 2], [doubles(), 0], [doubles(4), 1]);
  const results = sums.map(({ words }) => new Float64Array(new Uint32Array(words).buffer)[0]);
  assertEquals(results, [3.5, 0, 4]);
  const [filled] = call("fill", [new Uint8Array(5), 7]);
  assertEquals([...heap.read(filled!.addresses[0]! - 1, 7)], [0, 7, 7, 7, 7, 7, 0]);
  const [reversed, none] = call("reverse", [Uint8Array.of(1, 2, 3)], [null]);
  assertEquals([...heap.read(reversed!.addresses[0]!, 3)], [3, 2, 1]);
  assertEquals([reversed!.words[0], none!.words[0]], [1, 0]);
  const [applied] = call("apply", ["double", 21]);
  assertEquals(applied!.words[0], 42);
});

Deno.test("handles, null and errno are what they are for other callers", () => {
  const { heap, call } = served();
  const [file, nothing, absent] = call("open", ["a", "r"], ["", null], ["absent", null]);
  assertEquals([nothing!.words, nothing!.errno], [[0, 0], 0]);
  assertEquals([absent!.words, absent!.errno], [[0, 0], 2]);
  const handle = file!.words[1] * 2 ** 20 + file!.words[0];
  assertEquals(textOf(heap, call("nameOf", [handle])[0]!), "a:r");
  assertThrows(() => call("nameOf", [handle + 1]), CallError, "it has ended or never was");
  assertEquals(call("close", [handle])[0]!.words[0], 0);
  assertThrows(() => call("close", [handle]), CallError, "it has ended or never was");
});

Deno.test("structs lie where their addresses say, results as well", () => {
  const { heap, call } = served();
  const point = demoApi.functions.move.signature.parameters[1];
  const read = (address: number) => structAt(heap, address, point);
  const at = { flag: true, count: 5 };
  const [moved] = call("move", [{ x: 1.5, at }, { x: 2, at }]);
  assertEquals(read(moved!.addresses[0]!), { x: 3.5, at: { flag: true, count: 10 } });
  assertEquals(read(moved!.resultAddress), { x: -3.5, at: { flag: true, count: 1 } });
  const zero = { x: 0, at: { flag: false, count: 0 } };
  const [there, nowhere] = call("where", [zero], [null]);
  assertEquals(read(there!.addresses[0]!), { x: 4.5, at: { flag: true, count: -3 } });
  assertEquals([textOf(heap, there!), nowhere!.words[0]], ["there", 0]);
});

Deno.test("a text in a struct is an address, of a copy where it comes back", () => {
  const heap = new ArrayHeap(1 << 12);
  const text = kind.nullable(kind.string);
  const labels = kind.struct({ size: kind.u8, all: kind.array(text, 2) });
  const api = hostApi("labels", { swap: fn([kind.pointer("inout", labels)], labels) });
  const { client } = serveHere(api, {
    swap: ({ size, all: [first, second] }) => ({ size, all: [second!, `${first}${second}`] }),
  }, { heap, shape: SHAPE });
  const given = { size: 1, all: ["é", null] };
  const [swapped] = callLanes({ client, heap }, api.functions.swap, [[given]]);
  const read = (address: number) => structAt(heap, address, labels);
  assertEquals(read(swapped!.addresses[0]!), given);
  assertEquals(read(swapped!.resultAddress), { size: 1, all: [null, "énull"] });
});

Deno.test("variadic arguments come as a list", () => {
  const { heap, call } = served();
  const [number, text] = [{ type: "i32", value: -1 }, { type: "string", value: "two" }];
  const [formatted] = call("format", ["text:", [number, text, { type: "f64", value: 0.5 }]]);
  assertEquals(textOf(heap, formatted!), "text: i32 -1 string two f64 0.5");
});

Deno.test("a server goes on after any words of any call", () => {
  const { heap, client, call } = served();
  const names = Object.keys(demoApi.functions) as (keyof typeof demoApi.functions)[];
  const anyWord = fc.oneof(
    fc.constantFrom(0, 1, 8, 15, 16, 17, 1024, 4079, 4080, 4095, 4096, 0x7fffffff, 0xffffffff),
    fc.nat(5000),
  );
  let servedCount = 0;
  fc.assert(fc.property(
    fc.constantFrom(...names),
    fc.array(anyWord, { minLength: 14, maxLength: 14 }),
    (name, words) => {
      const { name: full, hash } = demoApi.functions[name];
      const fill = (packet: Packet) => {
        for (const [index, word] of [hash, 0, ...words].entries()) packet.setUint32(0, index, word);
      };
      const use = () => servedCount++;
      try {
        client.call(functionOpcode(full), { fill, use }, { mask: laneMask(0) });
      } catch (error) {
        assertEquals((error as Error).name, "CallError");
      }
    },
  ));
  assertEquals([...heap.bytes.subarray(0, 16)], new Array(16).fill(0), "nobody writes to null");
  assertEquals([call("apply", ["double", 2])[0]!.words[0], servedCount > 0], [4, true]);
});

Deno.test("a call is refused whose text has no room, or whose function fails", () => {
  const { heap, call } = served();
  assertThrows(() => call("fail", ["for a reason"]), CallError, "for a reason");
  while (heap.malloc(512) > 0);
  const api = hostApi("b", { name: fn([], kind.string) });
  const { client } = serveHere(api, { name: () => "x".repeat(600) }, { heap, shape: SHAPE });
  const name = () => callLanes({ client, heap }, api.functions.name as ApiFunction, [[]]);
  assertThrows(name, CallError, "has no room for a text");
});

Deno.test("a kernel that calls a server without a heap is told so", () => {
  const heap = new ArrayHeap(256);
  const api = hostApi("b", { puts: fn([kind.string], kind.i32) });
  const { client } = serveHere(api, { puts: () => 1 }, { shape: SHAPE });
  const target = api.functions.puts as ApiFunction;
  const call = () => callLanes({ client, heap }, target, [["text"]]);
  assertThrows(call, CallError, "Cannot serve b.puts as the ApiServer has no heap");
});

Deno.test("more arguments than a lane has slots need larger lanes", () => {
  const api = hostApi("wide", { sum: fn(new Array(12).fill(kind.i32), kind.i32) });
  const target = api.functions.sum as ApiFunction;
  const values = Array.from({ length: 12 }, (_, index) => index);
  const sumWith = (laneBytes: number) => {
    const heap = new ArrayHeap(256);
    const { client } = serveHere(api, {
      sum: (...given: number[]) => given.reduce((sum, one) => sum + one, 0),
    }, { heap, shape: { portCount: 1, laneCount: 2, laneBytes } });
    return callLanes({ client, heap }, target, laneBytes === 64 ? [values.slice(0, 7)] : [values]);
  };
  assertEquals(sumWith(128)[0]!.words[0], 66);
  assertThrows(() => sumWith(64), CallError, "its 13 slots of 8 bytes do not fit 64 bytes");
});

Deno.test("a function that waits has read all of its callers before, and writes when it is done", async () => {
  const heap = new ArrayHeap(1 << 10);
  const api = hostApi("late", { echo: fn([kind.bytes("inout")], kind.u32) });
  const seen: number[] = [];
  await using server = new LoopServer((host) =>
    host.serveAsync(api, {
      async echo(bytes) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        seen.push(bytes[0]!);
        bytes.fill(9);
        return 1;
      },
    }), { heap, shape: { portCount: 1, laneCount: 2 } });
  const target = api.functions.echo as ApiFunction;
  const slots = new LaneSlots();
  const addresses: number[] = [];
  await server.client.callAsync(functionOpcode(target.name), {
    fill: (packet) =>
      packet.forEachLane((lane) => {
        slots.aim(packet, lane);
        addresses.push(...placeCall(heap, slots, { target, values: [Uint8Array.of(lane + 1)] }));
      }),
    use: () => {},
  });
  assertEquals([seen, addresses.map((address) => heap.bytes[address])], [[1, 2], [9, 9]]);
});
