import { assert, assertEquals } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { Opcode } from "../memory/opcode.ts";
import { startServer } from "../worker/start_server.ts";
import { sendBytes } from "../call/stream.ts";
import { serveWriteStdout } from "./stdout.ts";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("serveWriteStdout() writes lanes in order, and goes on after short writes", () => {
  let out = "";
  const host = {
    writeStdout(bytes: Uint8Array) {
      out += new TextDecoder().decode(bytes.subarray(0, 3));
      return Math.min(bytes.length, 3);
    },
  };
  const written = serveWriteStdout(host, new Map([[0, bytesOf("hello ")], [5, bytesOf("world")]]));
  assertEquals([out, [...written]], ["hello world", [[0, 6], [5, 5]]]);
});

Deno.test("serveWriteStdout() ends a lane whose host takes nothing", () => {
  const written = serveWriteStdout({ writeStdout: () => 0 }, new Map([[1, bytesOf("lost")]]));
  assertEquals([...written], [[1, 0]]);
});

Deno.test("writeStdout reaches the standard output of the process, from a client's lanes", async () => {
  const program = `
    import { Channel } from "${new URL("../toggle/channel.ts", import.meta.url)}";
    import { Client } from "${new URL("../toggle/client/client.ts", import.meta.url)}";
    import { startServer } from "${new URL("../worker/start_server.ts", import.meta.url)}";
    import { sendBytes } from "${new URL("../call/stream.ts", import.meta.url)}";
    const channel = Channel.create({ portCount: 1, laneCount: 2 });
    const services = ["${new URL("./register.ts", import.meta.url)}"];
    const server = await startServer(channel, { services });
    using port = new Client(channel).open(${Opcode.writeStdout});
    sendBytes(port, ["left and ", "right"].map((text) => new TextEncoder().encode(text)));
    port.recv((packet) => {
      if (packet.getUint32(0, 0) !== 9 || packet.getUint32(1, 0) !== 5) throw new Error("short");
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
  assertEquals(new TextDecoder().decode(stdout), "left and right");
});

Deno.test("writeStdout refuses a stream beyond its limit", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = await startServer(channel, {
    services: [new URL("./register.ts", import.meta.url)],
  });
  using port = new Client(channel).open(Opcode.writeStdout);
  let message = "";
  try {
    sendBytes(port, [new Uint8Array(2 ** 20 + 1)]);
  } catch (error) {
    message = String(error);
  }
  assert(message.includes("1048577 bytes"), message);
  channel.shutDown();
  await server.done;
});
