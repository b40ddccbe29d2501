/** The oracle is the C library of this machine: the same calls on the same files, byte for byte. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ApiServer, connectApi } from "../../signature/mod.ts";
import type { ApiFunction } from "../../signature/declaration_types.ts";
import { ArrayHeap, callByHeap } from "../../signature/testdata/array_heap.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import type { Client } from "../../toggle/client/client.ts";
import { filesApi, serveFiles } from "./files_api.ts";
import {
  guarded,
  libcStream,
  openLibc,
  type Step,
  type Stream,
  textOf,
} from "./testdata/libc_stream.ts";

type Call = (name: keyof typeof filesApi.functions, ...values: unknown[]) => unknown;

/** A stream of ours, by calls of whoever has a way to make them. */
function servedStream(call: Call, { path, mode }: { path: string; mode: string }): Stream {
  const file = call("fopen", path, mode);
  const perform = (step: Step, buffer: Uint8Array): unknown => {
    const { name, bytes, size, whence } = step;
    switch (name) {
      case "fgets": {
        const before = call("ftell", file) as bigint;
        const count = call(name, buffer, file) as number;
        assertEquals(BigInt(count), call("ftell", file) as bigint - before);
        return count > 0 || size === 1 ? 1 : 0;
      }
      case "fread":
        return call(name, buffer, file);
      case "snprintf":
        return call(name, buffer, "<%s>", [{ type: "string", value: textOf(step) }]);
      case "fwrite":
        return call(name, bytes, file);
      case "fputs":
        return call(name, textOf(step), file) as number < 0 ? -1 : 1;
      case "fgetc":
        return call(name, file);
      case "fputc":
        return call(name, size, file);
      case "fseek":
        return call(name, file, BigInt(size - 20), whence);
      case "clearerr":
        return (call(name, file), 0);
    }
  };
  return {
    perform(step) {
      const { memory, buffer } = guarded(step.size);
      const result = perform(step, buffer) as number;
      const [isAtEnd, hasFailed] = ["feof", "ferror"].map((name) =>
        Boolean(call(name as "feof", file))
      ) as [boolean, boolean];
      const place = Number(call("ftell", file));
      return { result, memory: memory.join(), isAtEnd, hasFailed, place };
    },
    close: () => void call("fclose", file),
  };
}

/** Calls as another worker makes them. */
function workerCalls(client: Client): Call {
  const stubs = connectApi(client, filesApi);
  return (name, ...values) => {
    const { failsWith } = filesApi.functions[name].signature;
    const given = name === "snprintf" ? [...values.slice(0, 2), textIn(values[2])] : values;
    try {
      return (stubs[name] as (...values: unknown[]) => unknown)(...given);
    } catch (error) {
      if (failsWith === undefined) throw error;
      return failsWith;
    }
  };
}

function textIn(list: unknown): unknown {
  return (list as readonly { readonly value: unknown }[])[0]!.value;
}

/** Calls as a kernel makes them: arrays lie in its heap, and are copied back from there. */
function kernelCalls(client: Client, heap: ArrayHeap): Call {
  return (name, ...values) => {
    const target = filesApi.functions[name] as ApiFunction;
    const { words: [low, high], addresses } = callByHeap({ client, heap }, target, values);
    for (const [index, value] of values.entries()) {
      if (!(value instanceof Uint8Array)) continue;
      value.set(heap.read(addresses[index]!, value.length));
    }
    if (name === "fopen") return high * 2 ** 20 + low;
    return name === "ftell" ? BigInt.asIntN(64, BigInt(high) << 32n | BigInt(low)) : low | 0;
  };
}

const bytes = fc.array(
  fc.oneof({ arbitrary: fc.constantFrom(0x0a, 0, 0xff, 0x41), weight: 1 }, {
    arbitrary: fc.integer({ min: 0x20, max: 0x7a }),
    weight: 4,
  }),
  { maxLength: 60 },
).map((some) => Uint8Array.from(some));

const READS = ["fgets", "fread", "fgetc"];
const WRITES = ["fwrite", "fputs", "fputc"];

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(
    ...["fgets", "fgets", "fgets", "fread", "fgetc", "snprintf"] as const,
    ...["fwrite", "fputs", "fputc", "fseek", "clearerr"] as const,
  ),
  bytes,
  size: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 50 })),
  whence: fc.integer({ min: 0, max: 2 }),
});

/** With what C asks for between reading and writing: a move. */
function withMoves(steps: readonly Step[]): readonly Step[] {
  let last: readonly string[] | undefined;
  return steps.flatMap((one) => {
    const kind = [READS, WRITES].find((names) => names.includes(one.name));
    const isTurn = kind !== undefined && last !== undefined && kind !== last;
    last = kind ?? last;
    return isTurn ? [{ ...one, name: "fseek", size: 20, whence: 1 }, one] : [one];
  });
}

const RUNS = Number(Deno.env.get("STDIO_CASES") ?? 150);

Deno.test({
  name: "streams and their buffers are as those of the C library, for workers and for kernels",
  ignore: openLibc() === undefined,
  fn() {
    const libc = openLibc()!;
    const folder = Deno.makeTempDirSync();
    const modes = fc.constantFrom("r", "r+", "w+", "a+", "w", "a");
    const check = (before: Uint8Array, mode: string, steps: readonly Step[]) => {
      const heap = new ArrayHeap(1 << 18);
      const { client, server } = oneThread({ portCount: 2, laneCount: 1, laneBytes: 1024 });
      serveFiles(new ApiServer(server, { heap }));
      const pathOf = (name: string) => `${folder}/${name}`;
      const names = ["libc", "worker", "kernel"];
      for (const name of names) Deno.writeFileSync(pathOf(name), before);
      const streams = [
        libcStream(libc, pathOf("libc"), mode),
        servedStream(workerCalls(client), { path: pathOf("worker"), mode }),
        servedStream(kernelCalls(client, heap), { path: pathOf("kernel"), mode }),
      ];
      for (const one of withMoves(steps)) {
        const [wanted, ...effects] = streams.map((stream) => stream.perform(one));
        for (const effect of effects) assertEquals(effect, wanted, `${one.name} ${one.size}`);
      }
      for (const stream of streams) stream.close();
      const [wanted, ...texts] = names.map((name) => Deno.readFileSync(pathOf(name)));
      for (const text of texts) assertEquals(text, wanted);
    };
    fc.assert(fc.property(bytes, modes, fc.array(step, { maxLength: 12 }), check), {
      numRuns: RUNS,
    });
    Deno.removeSync(folder, { recursive: true });
    libc.close();
  },
});
