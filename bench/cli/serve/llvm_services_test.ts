import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "../../../core/toggle/client/client.ts";
import type { ClientPort } from "../../../core/toggle/client/client_port.ts";
import { LlvmFile } from "../../../core/process/llvm/llvm_file.ts";
import { llvmOpcode } from "../../../core/process/llvm/llvm_opcode.ts";
import { Serving, WAIT } from "./on_serving_test.ts";

const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "serve takes its file away when a client ends it by exit()",
  ignore,
  async fn() {
    await using serving = new Serving("--ports", "1", "--lanes", "1");
    await serving.text("ready\n");
    using file = new LlvmFile(serving.path, { portCount: 1, laneCount: 1 });
    using port = new Client(file.channel).open(llvmOpcode.exit, WAIT);
    const asked = port.send(() => {}) as unknown as ClientPort<"theirs">;
    const told = asked.recv(() => {}, WAIT) as unknown as ClientPort<"mine">;
    told.send((packet) => packet.setUint32(0, 0, 42));
    assertEquals(await serving.status(), 42);
    assertThrows(() => Deno.statSync(serving.path), Deno.errors.NotFound);
  },
});
