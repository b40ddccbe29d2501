import { assertRejects, assertThrows } from "@std/assert";
import { compilerProblem } from "../native/native_library.ts";
import { Partner } from "../partner/partner.ts";
import type { ByteEnd } from "./byte_ways.ts";
import { ByteCaller } from "./process_calls.ts";
import { processes } from "./processes.ts";
import { onLinux } from "../../core/testing/fixtures/on_linux.ts";

const laneCount = 3;

for (const way of processes.axes.way) {
  const waiting = ["pipe", "unix_socket"].includes(way) ? "park" : "spin";
  Deno.test({
    name: `processes makes checked calls by ${way}, between rests`,
    ignore: Deno.build.os !== "linux" || way.includes("_c") && compilerProblem() !== undefined,
    async fn() {
      await using partner = new Partner();
      const point = { way, waiting, laneCount, portCount: waiting === "park" ? 1 : 5 } as const;
      await using trial = await processes.setup(point as never, partner);
      for (const callCount of [1, 300, 0, 2]) {
        trial.wake?.();
        await trial.run(callCount);
        trial.rest?.();
      }
    },
  });
}

onLinux("processes that sleep wake each other", async () => {
  await using partner = new Partner();
  const point = { way: "processes", waiting: "park", laneCount: 1, portCount: 1 } as const;
  await using trial = await processes.setup(point, partner);
  trial.wake!();
  await trial.run(200);
  trial.rest!();
});

Deno.test("ByteCaller refuses an answer that is not one larger in every lane, however it comes", async () => {
  const end = (exchange: ByteEnd["exchange"]) => new ByteCaller({ exchange, close() {} }, 128);
  assertThrows(() => end((bytes) => bytes.slice()).call(1), Error, "one larger");
  assertThrows(() => end(() => new Uint8Array()).call(1), Error, "one larger");
  const later = end((bytes) => Promise.resolve(bytes.fill(1, 0, 1)));
  await assertRejects(async () => await later.call(1), Error, "one larger");
});
