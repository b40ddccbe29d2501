import { denoHost } from "../../services/host.ts";
import { serveHost } from "../../services/serve_host.ts";
import { ApiServer } from "../../signature/server/api_server.ts";
import { nameHint } from "../../text/nearest.ts";
import { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import type { KernelHeap } from "../heap/device_heap.ts";
import type { Service } from "../kernel/services.ts";
import { type Type, typeText } from "../text/value_type.ts";
import { functionWork, type KernelFunction } from "./host_functions.ts";
import type { CompiledKernel, KernelRuntime } from "./kernel_runtime.ts";
import { Futures } from "./later_calls.ts";
import {
  type AnyRunOptions,
  type KernelRunOptions,
  type KernelRunReport,
  RUN,
  type RunArray,
} from "./run_options.ts";
import { type RunText, runText } from "./run_text.ts";

/** The most ports; further waves take turns. */
const PORT_COUNT_MAX = 1024;
/**
 * Bytes of a lane in a packet. Compared to 64, 32 threads printed 20 000 lines each in a quarter of the
 * time, and 32 768 threads made 30 calls each in a tenth more (SwiftShader).
 */
const LANE_BYTES = 256;
const LANE_COUNT = 32;

/** The shape of a channel that suits most kernels. */
export function kernelChannelShape(
  { waveCount = 1, laneCount = LANE_COUNT, ...more }: Pick<
    KernelRunOptions,
    "waveCount" | "laneCount" | "portCount" | "laneBytes"
  >,
): ChannelShape {
  const { portCount = Math.min(waveCount, PORT_COUNT_MAX), laneBytes = LANE_BYTES } = more;
  return { portCount, laneCount, laneBytes };
}

interface ReadyParts {
  readonly text: RunText;
  readonly channel: Channel;
  readonly kernel: CompiledKernel;
  /** For each buffer, whether it was created for an array. */
  readonly isOwn: readonly boolean[];
  readonly heap: KernelHeap | undefined;
}

/** A compiled kernel, with the buffers created for its arrays. */
export class ReadyKernel {
  /** Identifies the text and options that it was compiled for. */
  readonly key: string;
  readonly #parts: ReadyParts;

  private constructor(key: string, parts: ReadyParts) {
    this.key = key;
    this.#parts = parts;
  }

  static async create(
    runtime: KernelRuntime,
    { key, source, options }: {
      readonly key: string;
      readonly source: string;
      readonly options: AnyRunOptions;
    },
  ): Promise<ReadyKernel> {
    const { waveCount = 1, libraries = [], buffers = {}, constants = {} } = options;
    const channel = Channel.create(kernelChannelShape(options));
    const apis = libraries.map(({ api }) => api);
    const text = runText(source, { apis, laneWords: channel.layout.laneBytes / 4, constants });
    checkTextNames(text, options);
    const given = text.buffers.map(({ name, type }) => {
      const value = buffers[name]!;
      return { type, given: runtime.isBuffer(value) ? value : (value as RunArray).byteLength };
    });
    const shape = { ...options, channel, waveCount, source: text.text, buffers: given };
    const kernel = await runtime.compile(shape);
    const isOwn = given.map(({ given }) => typeof given === "number");
    const heap = options.heapBytes === undefined ? undefined : kernel.heap;
    return new ReadyKernel(key, { text, channel, kernel, isOwn, heap });
  }

  async run(options: AnyRunOptions): Promise<KernelRunReport> {
    const { text, channel, kernel, isOwn, heap } = this.#parts;
    const { buffers = {} } = options;
    checkTextNames(text, options);
    text.buffers.forEach(({ name }, binding) => {
      if (isOwn[binding]) kernel.write(binding, buffers[name] as RunArray);
    });
    const server = new Server(channel);
    const futures = new Futures();
    using _served = serveText(server, { text, options, kernel, futures, ...heap && { heap } });
    const report = await kernel.runAsync(server, options);
    const failures = await futures.left(options.signal);
    if (failures[0] && options.refusals !== "count") throw failures[0];
    const refusedCallCount = report.refusedCallCount + failures.length;
    return {
      ...report,
      refusedCallCount,
      buffers: { ...buffers, ...await this.#contents(buffers) },
    };
  }

  /** Makes the heap, if there is one, as it was before the first run. */
  clearHeap(): void {
    this.#parts.heap?.clear();
  }

  /** Reads the buffers created for arrays into arrays of the same types. */
  async #contents(buffers: Readonly<Record<string, unknown>>) {
    const { text, kernel, isOwn } = this.#parts;
    const entries = await Promise.all(text.buffers.map(async ({ name, type }, binding) => {
      if (!isOwn[binding]) return [name, buffers[name]] as const;
      const value = buffers[name] as RunArray;
      const { byteOffset = 0, byteLength } = value as ArrayBufferView;
      const buffer = value instanceof ArrayBuffer ? value : value.buffer as ArrayBuffer;
      const bytes = type === "storage"
        ? await kernel.read(binding)
        : buffer.slice(byteOffset, byteOffset + byteLength);
      if (value instanceof ArrayBuffer) return [name, bytes] as const;
      const of = value.constructor as new (bytes: ArrayBuffer) => ArrayBufferView<ArrayBuffer>;
      return [name, new of(bytes)] as const;
    }));
    return Object.fromEntries(entries);
  }

  destroy(): void {
    this.#parts.kernel.destroy();
  }
}

/**
 * Lets a server serve what a kernel calls: the functions that its text declares, its APIs, and what it
 * prints.
 *
 * @returns disposes of what the libraries of the APIs hold
 */
export function serveText(
  server: Server,
  { text, options, kernel, futures, heap }: {
    readonly text: RunText;
    readonly futures: Futures;
    readonly options: Pick<AnyRunOptions, "functions" | "libraries" | "print" | "server">;
    /** For the libraries: throws where there is no heap. */
    readonly kernel: { readonly heap: KernelHeap };
    readonly heap?: KernelHeap;
  },
): DisposableStack {
  const { functions = {}, libraries = [], print } = options;
  using stack = new DisposableStack();
  const decoder = new TextDecoder();
  const writeStdout = (bytes: Uint8Array) => {
    print!(decoder.decode(bytes, { stream: true }));
    return bytes.length;
  };
  serveHost(server, print ? { writeStdout } : denoHost);
  const add = (service: Service, work: KernelFunction, name = service.name) => {
    server.operate(service.opcodeNumber, functionWork(text.text.types, { ...service, name }, work));
  };
  if (options.server !== undefined) return stack.move();
  for (const service of text.services) add(service, functions[service.name]!);
  for (const { service, begin, end } of text.later) {
    const { name } = service;
    add(begin, futures.begin(service, functions[name]!), `begin_${name}`);
    add(end, futures.end(service), `end_${name}`);
  }
  const names = text.apis.map(({ name }) => name);
  if (names.length === 0) return stack.move();
  const apis = new ApiServer(server, { ...heap && { heap }, timeoutSeconds: Infinity });
  for (const { api, serve } of libraries) {
    if (!names.includes(api.name)) continue;
    const served = serve(apis, kernel);
    stack.defer(() => served?.[Symbol.dispose]?.());
  }
  return stack.move();
}

/** Checks that exactly the functions and buffers that a text declares were given. */
export function checkTextNames(
  text: RunText,
  { functions = {}, buffers = {}, server }: Pick<AnyRunOptions, "functions" | "buffers" | "server">,
): void {
  const services = server === undefined ? text.services : [];
  checkNames(Object.keys(functions), services.map(({ name }) => name), {
    what: "function of the host",
    option: "functions",
    example: (name) => `@service fn ${name}(x: u32) -> u32;`,
  });
  checkNames(Object.keys(buffers), text.buffers.map(({ name }) => name), {
    what: "buffer",
    option: "buffers",
    example: (name) => `var<storage, read_write> ${name}: array<u32>;`,
  });
  for (const [name, value] of Object.entries(buffers)) {
    const isArray = ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
    if (isArray) checkElements(text, name, value as RunArray);
  }
}

/** The typed arrays that hold numbers of a type. */
const ARRAYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["f32", ["Float32Array"]],
  ["i32", ["Int32Array"]],
  ["u32", ["Uint32Array"]],
  ["f16", ["Float16Array", "Uint16Array"]],
]);

/** Checks that an array has numbers of the variable's type: others would be read as their bits. */
function checkElements({ text: { types } }: RunText, name: string, value: RunArray) {
  const variable = types.module.variables.find((one) => one.name === name)!;
  const type = types.ofVariable(variable)!;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  const arrays = ARRAYS.get(scalarName(type));
  const isFit = kind === "ArrayBuffer" || kind === "DataView" ||
    (arrays ? arrays.includes(kind) : kind !== "Float64Array");
  if (isFit) return;
  const wanted = arrays?.map((array) => `${array === "Int32Array" ? "an" : "a"} ${array}`) ??
    ["an array of another type, as WGSL has no f64"];
  throw new TypeError(
    `Cannot ${RUN} as the buffer ${name} is of type ${typeText(type)}: give ${
      wanted.join(" or ")
    }, or an ArrayBuffer or DataView with its bytes, instead of the ${kind}`,
  );
}

/** The type of the numbers that a value is made of; of a struct, its own name. */
function scalarName({ name, args: [inner] }: Type): string {
  return inner && /^(?:array|atomic|vec\d|mat\dx\d)$/.test(name) ? scalarName(inner) : name;
}

/** Checks that exactly the declared names were given. */
function checkNames(
  given: readonly string[],
  declared: readonly string[],
  { what, option, example }: {
    readonly what: string;
    readonly option: string;
    readonly example: (name: string) => string;
  },
): void {
  const strange = given.find((name) => !declared.includes(name));
  if (strange !== undefined) {
    const hint = declared.length > 0 ? nameHint(strange, declared) : `write ${example(strange)}`;
    throw new TypeError(`Cannot ${RUN} as its text declares no ${what} ${strange}: ${hint}`);
  }
  const missing = declared.find((name) => !given.includes(name));
  if (missing === undefined) return;
  throw new TypeError(
    `Cannot ${RUN} as its ${what} ${missing} is missing: give it in the option ${option}`,
  );
}
