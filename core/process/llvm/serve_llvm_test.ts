import { assert, assertEquals } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import type { ClientPort } from "../../toggle/client/client_port.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import type { Packet } from "../../memory/packet.ts";
import { startServer } from "../../worker/start_server.ts";
import { ScratchFolder } from "../../testing/fixtures/scratch_folder.ts";
import { llvmOpcode } from "./llvm_opcode.ts";

const WAIT = { timeoutSeconds: 30 };
const FAILED = 2n ** 64n - 1n;

/** A text with its NUL, as C sends it. */
function text(value: string): Uint8Array {
  return new TextEncoder().encode(`${value}\0`);
}

function put(packet: Packet, words: readonly bigint[]): void {
  packet.forEachLane((lane) =>
    words.forEach((value, index) => {
      packet.setUint32(lane, 2 * index, Number(value & 0xffffffffn));
      packet.setUint32(lane, 2 * index + 1, Number(BigInt.asUintN(64, value) >> 32n));
    })
  );
}

function take(packet: Packet): bigint[] {
  const answers: bigint[] = [];
  packet.forEachLane((lane) => {
    const high = BigInt(packet.getUint32(lane, 1)) << 32n;
    answers.push(high | BigInt(packet.getUint32(lane, 0)));
  });
  return answers;
}

interface PrintedLane {
  readonly format: string;
  readonly values: Uint8Array;
  readonly texts?: Readonly<Record<number, string>>;
}

/** A client with LLVM's steps for each service, of two lanes that ask for the same. */
class Caller {
  readonly #client: Client;

  constructor(channel: Channel) {
    this.#client = new Client(channel);
  }

  /** Words there, one back. */
  ask(opcode: number, ...words: readonly bigint[]): bigint[] {
    let answers: bigint[] = [];
    this.#client.call(opcode, {
      fill: (packet) => put(packet, words),
      use: (packet) => void (answers = take(packet)),
    }, WAIT);
    return answers;
  }

  /** Texts there, and words before or after, one word back. */
  tell(
    opcode: number,
    texts: readonly (readonly Uint8Array[])[],
    words: { readonly before?: bigint; readonly after?: Uint8Array } = {},
  ): bigint[] {
    let answers: bigint[] = [];
    using port = this.#client.open(opcode, WAIT);
    if (words.before !== undefined) port.send((packet) => put(packet, [words.before!]));
    for (const payloads of texts) sendStream(port, payloads);
    const { after } = words;
    if (after) port.send((packet) => packet.forEachLane((lane) => packet.writeLane(lane, after)));
    // A stream leaves the port where only a send or a receive may follow, whatever its type says.
    (port as unknown as ClientPort<"theirs">).recv((packet) => void (answers = take(packet)));
    return answers;
  }

  /** Each lane's format, arguments and, by their addresses, texts; the second lane alone for one. */
  print(opcode: number, lanes: readonly PrintedLane[], stream?: bigint): bigint[] {
    const isAlone = lanes.length === 1;
    const options = isAlone ? { ...WAIT, mask: laneMask(1) } : WAIT;
    using port = this.#client.open(opcode, options) as unknown as ClientPort<"theirs">;
    const send = (bytes: (lane: PrintedLane, index: number) => Uint8Array) =>
      sendStream(port as unknown as ClientPort<"fresh">, [
        ...isAlone ? [undefined] : [],
        ...lanes.map(bytes),
      ]);
    if (stream !== undefined) {
      (port as unknown as ClientPort<"fresh">).send((packet) => put(packet, [stream]));
    }
    send(({ format }) => text(format));
    let counts: bigint[] = [];
    port.recv((packet) => void (counts = take(packet)));
    send(({ values }, lane) => values.subarray(0, Number(counts[lane])));
    for (;;) {
      const pointers: number[] = [];
      port.recv((packet) => {
        counts = take(packet);
        packet.forEachLane((lane) => pointers.push(packet.getUint32(lane, 2)));
      });
      if (pointers.every((pointer) => pointer === 0)) return counts;
      send(({ texts = {} }, lane) =>
        pointers[lane] ? text(texts[pointers[lane]]!) : new Uint8Array()
      );
    }
  }

  read(opcode: number, size: bigint, file: bigint): { texts: string[]; counts: bigint[] } {
    using port = this.#client.open(opcode, WAIT);
    const sent = port.send((packet) => put(packet, [size, file]));
    const texts = recvStream(sent).map((bytes) => new TextDecoder().decode(bytes));
    let counts: bigint[] = [];
    if (opcode === llvmOpcode.readFromStream) {
      sent.recv((packet) => void (counts = take(packet)));
    }
    return { texts, counts };
  }
}

async function serve(portCount: number) {
  const channel = Channel.create({ portCount, laneCount: 2, wire: "llvm" });
  const services = [new URL("./serve_llvm.ts", import.meta.url)];
  const server = await startServer(channel, { services, keepsAlive: false });
  const end = () => server[Symbol.asyncDispose]();
  return { caller: new Caller(channel), [Symbol.asyncDispose]: end };
}

Deno.test("serveLlvm() has LLVM's steps for files, names and commands, and C's answers for what fails", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  await using served = await serve(2);
  const { caller } = served;
  const path = [text(`${folder}/a`), text(`${folder}/b`)];
  const files = caller.tell(llvmOpcode.openFile, [path], { after: text("w+") });
  assertEquals(new Set(files).size, 2);
  const [file, other] = [files[0]!, files[1]!];
  const lines = [text("first\nsecond\n").slice(0, -1), new Uint8Array(200).fill(65)];
  const written = caller.tell(llvmOpcode.writeToStream, [lines], { before: file });
  assertEquals(written, [13n, 200n]);
  assertEquals(caller.ask(llvmOpcode.ftell, file), [213n, 213n]);
  assertEquals(caller.ask(llvmOpcode.fseek, file, 0n, 0n), [0n, 0n]);
  assertEquals(caller.read(llvmOpcode.readFgets, 20n, file).texts, ["first\n\0", "second\n\0"]);
  const { texts, counts } = caller.read(llvmOpcode.readFromStream, 150n, file);
  assertEquals([texts.map(({ length }) => length), counts], [[150, 50], [150n, 50n]]);
  assertEquals(caller.ask(llvmOpcode.feof, file), [1n, 1n]);
  assertEquals(caller.ask(llvmOpcode.ungetc, 66n, file), [66n, 66n]);
  assertEquals(caller.read(llvmOpcode.readFromStream, 1n, file).texts, ["B", "B"]);
  assertEquals(caller.ask(llvmOpcode.clearerr, file), [0n, 0n]);
  assertEquals(caller.ask(llvmOpcode.ferror, file), [0n, 0n]);
  assertEquals(caller.ask(llvmOpcode.fflush, 0n), [0n, 0n]);
  assertEquals(caller.ask(llvmOpcode.fseek, file, -1n, 1n | 7n << 32n), [0n, 0n]);
  // The first lane closes it, the second one comes too late.
  assertEquals(caller.ask(llvmOpcode.closeFile, file), [0n, FAILED]);
  assertEquals(caller.ask(llvmOpcode.ftell, file), [FAILED, FAILED]);
  assertEquals(caller.read(llvmOpcode.readFgets, 20n, file).texts, ["", ""]);
  assertEquals(caller.tell(llvmOpcode.writeToStream, [lines], { before: file }), [0n, 0n]);
  assertEquals(caller.ask(llvmOpcode.closeFile, other)[0], 0n);
  // Longer than what other streams of this library may be: in the middle, it would be taken for new calls.
  const long = new Uint8Array((1 << 20) + 1001).fill(10);
  const [first, second] = caller.tell(llvmOpcode.openFile, [path], { after: text("w") });
  assert(first && second);
  assertEquals(
    caller.tell(llvmOpcode.writeToStream, [[long, long.subarray(0, 5)]], { before: first }),
    [
      BigInt(long.length),
      5n,
    ],
  );
  assertEquals(Deno.statSync(`${folder}/a`).size, long.length + 5);
  assertEquals(caller.tell(llvmOpcode.remove, [[long, text("")]]), [FAILED, FAILED]);
  const moved = [text(`${folder}/c`), text(`${folder}/d`)];
  assertEquals(caller.tell(llvmOpcode.rename, [path, moved]), [0n, 0n]);
  assertEquals(caller.tell(llvmOpcode.remove, [moved]), [0n, 0n]);
  assertEquals(caller.tell(llvmOpcode.remove, [moved]), [FAILED, FAILED]);
  assertEquals(caller.tell(llvmOpcode.openFile, [moved], { after: text("r") }), [0n, 0n]);
  assertEquals(caller.tell(llvmOpcode.system, [[text("true"), text("")]]), [FAILED, FAILED]);
  assertEquals([...Deno.readDirSync(folder)], []);
  // Addresses of another process: nobody serves them, and the packet comes back.
  assertEquals(caller.ask(llvmOpcode.free, 77n), [77n, 77n]);
});

Deno.test("serveLlvm() prints what each lane's format and arguments say, and asks for each text", async () => {
  using scratch = new ScratchFolder();
  const path = `${scratch.path}/a`;
  await using served = await serve(1);
  const { caller } = served;
  const [file] = caller.tell(llvmOpcode.openFile, [[text(path), text(path)]], {
    after: text("w"),
  });
  const one = new BigInt64Array([7n, 0x1000n, 0n, 0x2000n]);
  const values = new Uint8Array(one.buffer);
  const texts = { 0x1000: "first", 0x2000: "second" };
  const nothing = new Uint8Array();
  const print = (opcode: number, format: string) =>
    caller.print(opcode, [{ format, values, texts }, { format: "none\n", values: nothing }], file);
  assertEquals(print(llvmOpcode.printfToStream, "%d %s %s %.3s\n"), [19n, 5n]);
  assertEquals(print(llvmOpcode.printfToStreamPacked, "%ld %d%n %99999d\n"), [FAILED, 5n]);
  assertEquals(print(llvmOpcode.printfToStreamPacked, "%ld\n"), [2n, 5n]);
  const alone = [{ format: "%s\n", values: values.subarray(8, 16), texts: { 0x1000: "a" } }];
  assertEquals(caller.print(llvmOpcode.printfToStream, alone, file), [2n]);
  const both = ["x", "y"].map((format) => ({ format, values: nothing }));
  assertEquals(caller.print(llvmOpcode.printfToStream, both, 999n), [FAILED, FAILED]);
  const printed = "7 first (null) sec\nnone\nnone\n7\nnone\na\n";
  assertEquals(Deno.readTextFileSync(path), printed);
});
