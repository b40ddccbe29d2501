import { Client, type WaiterName } from "../../core/mod.ts";
import { LANE_BYTES } from "../../core/memory/packet.ts";
import { SharedFile } from "../../core/process/mod.ts";
import { MappedFile } from "../../core/system/mapped_file.ts";
import { llvmRegions } from "../../core/toggle/wire/llvm_regions.ts";
import { IncrementCaller, VALUE_MAX } from "../calls/increment.ts";
import { compileNative } from "../native/native_library.ts";
import type { Partner } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { type ByteEnd, type ByteWay, connectBytes, makePlace } from "./byte_ways.ts";
import { PeerProcess } from "./peer_process.ts";
import { openInC, openWire, tellToRest, type WireFile } from "./process_work.ts";

/** How many ports and lanes there are, and how both sides wait. */
export interface ProcessShape {
  readonly portCount: number;
  readonly laneCount: number;
  readonly waiter: WaiterName;
}

/** The line behind LLVM's memory that `toggle.c` looks at, and one between the two. */
const REST_BYTES = 128;

/** Calls of a process to another by a file that both map. */
export async function prepareShared(
  { waiter, ...shape }: ProcessShape,
  partner: Partner,
): Promise<Trial> {
  await using stack = new AsyncDisposableStack();
  const file = stack.use(SharedFile.create(shape));
  const { path, channel } = file;
  const peer = stack.use(await PeerProcess.start({ kind: "portlab", path, waiter }, partner.cpu));
  const caller = new IncrementCaller(new Client(channel, { waiter }));
  return {
    run: (callCount) => caller.call(callCount),
    ...peer.work(() => channel.raiseAttention()),
    ...endOf(stack),
  };
}

/** Which side of calls through LLVM's memory is C, as the original has its steps: see `toggle.c`. */
export interface SidesInC {
  readonly client: boolean;
  readonly server: boolean;
}

/**
 * Calls of a process to another through memory that LLVM's library laid out.
 *
 * @throws {Error} when the C text cannot be compiled
 */
export async function prepareWire(
  { waiter, ...shape }: ProcessShape,
  partner: Partner,
  inC: SidesInC,
): Promise<Trial> {
  await using stack = new AsyncDisposableStack();
  const { totalBytes } = llvmRegions({ ...shape, wire: "llvm-2025" });
  const { path } = stack.use(
    MappedFile.create(Math.ceil(totalBytes / REST_BYTES) * REST_BYTES + REST_BYTES),
  );
  const library = stack.use(await compileNative()).path;
  const file: WireFile = { ...shape, path };
  const peer = stack.use(
    await PeerProcess.start(
      inC.server ? { kind: "c", file, library } : { kind: "llvm", file, waiter },
      partner.cpu,
    ),
  );
  const { native, symbols, channel } = openInC(file, library);
  stack.defer(() => {
    symbols.channel_free(channel);
    native.close();
  });
  const client = inC.client ? undefined : new Client(stack.use(openWire(file)).channel, { waiter });
  const run = client ? callsOf(new IncrementCaller(client)) : (callCount: number) => {
    if (symbols.client_run(channel, callCount) === 0) return;
    throw new Error("Cannot trust the native calls as a lane did not come back one larger");
  };
  let isResting = true;
  const { wake, rest } = peer.work(() => {
    if (inC.server) return symbols.server_rest(channel, 1);
    if (isResting) return; // whoever rests answers no second call
    isResting = true;
    if (client) tellToRest(client);
    else symbols.client_rest(channel);
  });
  return {
    run,
    wake() {
      symbols.server_rest(channel, 0);
      isResting = false;
      wake();
    },
    rest,
    ...endOf(stack),
  };
}

function callsOf(caller: IncrementCaller): Trial["run"] {
  return (callCount) => caller.call(callCount);
}

/** Calls of a process to another by bytes that the system carries. */
export async function prepareBytes(
  way: ByteWay,
  { laneCount }: ProcessShape,
  partner: Partner,
): Promise<Trial> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "portlab_processes_" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const place = { folder, byteCount: laneCount * LANE_BYTES };
  await makePlace(way, place);
  stack.use(await PeerProcess.start({ kind: way, ...place }, partner.cpu));
  const end = await connectBytes(way, place);
  stack.defer(() => end.close());
  const caller = new ByteCaller(end, place.byteCount);
  return { run: (callCount) => caller.call(callCount), ...endOf(stack) };
}

function endOf(stack: AsyncDisposableStack): Pick<Trial, typeof Symbol.asyncDispose> {
  const moved = stack.move();
  return {
    async [Symbol.asyncDispose]() {
      await moved.disposeAsync();
    },
  };
}

/** Makes the call again and again, and checks what comes back in every lane. */
export class ByteCaller {
  readonly #end: ByteEnd;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #value = 0;

  constructor(end: ByteEnd, byteCount: number) {
    this.#end = end;
    this.#bytes = new Uint8Array(byteCount);
  }

  /** @throws {Error} when a lane came back with another number */
  call(callCount: number): void | Promise<void> {
    for (let call = 0; call < callCount; call++) {
      const answer = this.#end.exchange(this.#filled());
      if (answer instanceof Promise) return this.#callOn(answer, callCount - call);
      this.#check(answer);
    }
  }

  async #callOn(first: Promise<Uint8Array>, callCount: number): Promise<void> {
    this.#check(await first);
    for (let call = 1; call < callCount; call++) {
      this.#check(await this.#end.exchange(this.#filled()));
    }
  }

  #filled(): Uint8Array<ArrayBuffer> {
    const view = new DataView(this.#bytes.buffer);
    for (let byte = 0; byte < this.#bytes.length; byte += LANE_BYTES) {
      view.setUint32(byte, this.#value, true);
    }
    return this.#bytes;
  }

  #check(answer: Uint8Array): void {
    const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
    this.#value++;
    let wrongBits = answer.length ^ this.#bytes.length;
    for (let byte = 0; byte < answer.length; byte += LANE_BYTES) {
      wrongBits |= view.getUint32(byte, true) ^ this.#value;
    }
    this.#value &= VALUE_MAX;
    if (wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a lane did not come back one larger");
  }
}
