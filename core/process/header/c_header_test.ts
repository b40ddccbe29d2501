import { assertEquals, assertStringIncludes } from "@std/assert";
import { Client } from "../../toggle/client/client.ts";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import { startServer } from "../../worker/start_server.ts";
import { SharedFile } from "../shared/shared_file.ts";
import { compiledC, onCompiler } from "../llvm/on_compiler_test.ts";
import { TimeLimit } from "../../system/child.ts";
import { cHeader } from "./c_header.ts";

const WAIT = { timeoutSeconds: 30 };

for (const mailboxWidth of ["word", "padded", "beside"] as const) {
  onCompiler(
    `cHeader() is enough for 64 clients and a server in C, which sleepers here wait for: ${mailboxWidth}`,
    async (folder) => {
      const shape = { portCount: 2, laneCount: 3, mailboxWidth };
      await Deno.writeTextFile(`${folder}/channel.h`, cHeader(shape));
      const program = await compiledC(folder, "c_peer");
      const services = [new URL("../testdata/llvm_services.ts", import.meta.url)];
      {
        using file = SharedFile.create(shape);
        await using _server = await startServer(file.channel, { services, keepsAlive: false });
        assertEquals(await run(program, file.path, "call", "300"), 0);
        const many = Array.from({ length: 64 }, () => run(program, file.path, "call", "20"));
        assertEquals(new Set(await Promise.all(many)), new Set([0]));
        file.buryDead(); // unless the timer has been quicker
        assertEquals(file.participantCount, 1);
      }
      using file = SharedFile.create(shape);
      const served = run(program, file.path, "serve", "51");
      const client = new Client(file.channel, { waiter: "park" });
      for (let value = 0; value < 50; value++) {
        const answers: number[] = [];
        await client.callAsync(40_000, {
          fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, value + lane)),
          use: (packet) => packet.forEachLane((lane) => answers.push(packet.getUint32(lane, 0))),
        }, WAIT);
        assertEquals(answers, [value + 1, value + 2, value + 3]);
      }
      const error = await client.callAsync(50_000, { fill: () => {}, use: () => {} }, WAIT)
        .catch((error: CallError) => error);
      assertEquals((error as CallError).status, Status.unhandledOpcode);
      assertEquals(await served, 0);
      using other = SharedFile.create({ portCount: 3, laneCount: 3 });
      assertEquals(await run(program, other.path, "call", "1"), 9);
    },
  );
}

/** Runs the program; returns its exit status. */
async function run(program: string, ...args: readonly string[]): Promise<number> {
  const child = new Deno.Command(program, { args: [...args], stdout: "null" }).spawn();
  using _limit = new TimeLimit(child, 30);
  return (await child.status).code;
}

Deno.test("cHeader() of another design or wire has the places alone", () => {
  const bits = cHeader({ portCount: 40, laneCount: 1, mailboxWidth: "bit", mailboxUpdate: "cas" });
  assertEquals(bits.includes("portlab_open"), false);
  assertStringIncludes(bits, "#define PORTLAB_CHANNEL_BYTE 65536\n");
  const llvm = cHeader({ portCount: 16, laneCount: 32, wire: "llvm" });
  const places = [...llvm.matchAll(/_(\w+)_BYTE (\d+)/g)].map(([, name, byte]) =>
    `${name} ${byte}`
  );
  assertEquals(places, [
    "CLIENT_OUTBOX 128",
    "SERVER_OUTBOX 64",
    "HEADERS 192",
    "PACKETS 448",
  ]);
  assertStringIncludes(llvm, "#define PORTLAB_TOTAL_BYTES 33216u\n");
  assertStringIncludes(llvm, "#define PORTLAB_ALL_LANES 0xffffffffull\n");
});
