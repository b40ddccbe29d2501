import { assert, assertEquals } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { Opcode } from "../memory/opcode.ts";
import { startServer } from "../worker/start_server.ts";
import { sendStream } from "../call/stream.ts";
import { serveWriteStdout } from "./text_service.ts";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A host that takes what it is told to, call by call; everything when nothing is left to tell. */
function hostOf(...takes: number[]) {
  const writes: string[] = [];
  const writeStdout = (bytes: Uint8Array) => {
    const count = Math.min(takes.shift() ?? bytes.length, bytes.length);
    writes.push(new TextDecoder().decode(bytes.subarray(0, count)));
    return count;
  };
  return { writes, writeStdout };
}

const TEXTS = { text: bytesOf("hello world!"), ends: [6, 6, 11, 12] };

Deno.test("serveWriteStdout() writes all lanes at once, in their order", () => {
  const host = hostOf();
  assertEquals([serveWriteStdout(host, TEXTS), host.writes], [[6, 0, 5, 1], ["hello world!"]]);
});

Deno.test("serveWriteStdout() goes on after short writes, within a lane and over its end", () => {
  const host = hostOf(3, 5);
  assertEquals(serveWriteStdout(host, TEXTS), [6, 0, 5, 1]);
  assertEquals(host.writes, ["hel", "lo wo", "rld!"]);
});

Deno.test("serveWriteStdout() ends a lane whose host takes nothing, and tries the next", () => {
  const host = hostOf(8, 0, 1);
  assertEquals(serveWriteStdout(host, TEXTS), [6, 0, 2, 1]);
  assertEquals(host.writes, ["hello wo", "", "!"]);
  assertEquals(serveWriteStdout(hostOf(0, 0, 0), TEXTS), [0, 0, 0, 0]);
});

Deno.test("writeStdout reaches the standard output of the process, from a client's lanes", async () => {
  const program = `
    import { Channel } from "${new URL("../toggle/channel.ts", import.meta.url)}";
    import { Client } from "${new URL("../toggle/client/client.ts", import.meta.url)}";
    import { startServer } from "${new URL("../worker/start_server.ts", import.meta.url)}";
    import { sendStream } from "${new URL("../call/stream.ts", import.meta.url)}";
    const channel = Channel.create({ portCount: 1, laneCount: 2 });
    const services = ["${new URL("./serve_host.ts", import.meta.url)}"];
    const server = await startServer(channel, { services });
    using port = new Client(channel).open(${Opcode.writeStdout});
    sendStream(port, ["left and ", "right".repeat(20)].map((text) => new TextEncoder().encode(text)));
    port.recv((packet) => {
      if (packet.getUint32(0, 0) !== 9 || packet.getUint32(1, 0) !== 100) throw new Error("short");
    });
    channel.shutDown();
    await server.done;
  `;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, program);
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-all", file],
  }).output();
  await Deno.remove(file);
  assert(success, new TextDecoder().decode(stderr));
  assertEquals(new TextDecoder().decode(stdout), `left and ${"right".repeat(20)}`);
});

Deno.test("writeStdout refuses a stream beyond its limit", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = await startServer(channel, {
    services: [new URL("./serve_host.ts", import.meta.url)],
  });
  using port = new Client(channel).open(Opcode.writeStdout);
  let message = "";
  try {
    sendStream(port, [new Uint8Array(2 ** 20 + 1)]);
  } catch (error) {
    message = String(error);
  }
  assert(message.includes("1048577 bytes"), message);
  channel.shutDown();
  await server.done;
});
