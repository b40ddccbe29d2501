import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "../../../core/toggle/client/client.ts";
import type { ClientPort } from "../../../core/toggle/client/client_port.ts";
import { sendStream } from "../../../core/call/stream.ts";
import { LlvmFile } from "../../../core/process/llvm/llvm_file.ts";
import { llvmOpcode } from "../../../core/process/llvm/llvm_opcode.ts";
import { SharedFile } from "../../../core/process/shared/shared_file.ts";
import { Serving, WAIT } from "./on_serving_test.ts";
import { ended } from "../../machine/ended.ts";

const ignore = Deno.build.os !== "linux";
const SERVICES = new URL("../../../core/process/testdata/llvm_services.ts", import.meta.url);

Deno.test({
  name: "serve makes a file in LLVM's layout, serves LLVM's own services, and takes it away",
  ignore,
  async fn() {
    await using serving = new Serving("--ports", "3", "--lanes", "2");
    assertEquals(await serving.text("ready\n"), "ready\n");
    assertEquals(Deno.statSync(serving.path).size, 64 + 24 + 48 + 3 * 2 * 64);
    using file = new LlvmFile(serving.path, { portCount: 3, laneCount: 2 });
    using port = new Client(file.channel).open(llvmOpcode.writeToStdoutNewline, WAIT);
    sendStream(port, [new TextEncoder().encode("one"), new TextEncoder().encode("two")]);
    (port as unknown as ClientPort<"theirs">).recv((packet) =>
      assertEquals([packet.getUint32(0, 0), packet.getUint32(1, 0)], [4, 4])
    );
    assertEquals(await serving.text("one\ntwo\n"), "one\ntwo\n");
    assertEquals(await serving.end("SIGTERM"), 0);
    assertThrows(() => Deno.statSync(serving.path), Deno.errors.NotFound);
  },
});

Deno.test({
  name: "serve has this library's own wire, with services of the user's, and leaves others' files",
  ignore,
  async fn() {
    await using serving = new Serving("--wire", "portlab", "--services", SERVICES.pathname);
    assertEquals(await serving.text("ready\n"), "ready\n");
    {
      using file = SharedFile.open(serving.path);
      assertEquals(file.channel.layout.portCount, 16);
      let answer = 0;
      new Client(file.channel).call(40_000, {
        fill: (packet) => packet.setUint32(0, 0, 4),
        use: (packet) => void (answer = packet.getUint32(0, 0)),
      }, WAIT);
      assertEquals(answer, 5);
    }
    assertEquals(await serving.end("SIGINT"), 0);
  },
});

const hasPython = await ended("python3", ["-V"]).then(({ code }) => code === 0, () => false);

if (!hasPython) console.log("Skipping the client in Python: there is no python3");

Deno.test({
  name: "serve serves the client in Python, with texts of several packets",
  ignore: ignore || !hasPython,
  async fn() {
    await using serving = new Serving("--ports", "3");
    await serving.text("ready\n");
    const script = new URL("../../../core/process/testdata/client.py", import.meta.url).pathname;
    const text = "a long text ".repeat(20);
    const args = [script, serving.path, "3", "hello", text];
    const { out } = await ended("python3", args);
    assertEquals(out, "6 bytes were written\n241 bytes were written\n");
    const both = `hello\n${text}\n`;
    assertEquals(await serving.text(both), both);
  },
});
