import { assert, assertEquals } from "@std/assert";
import { requestLiveDevice } from "../../core/gpu/live/mod.ts";
import { Partner } from "../partner/partner.ts";
import { litmus, litmusMutants } from "./litmus.ts";

function obstacleHere(): string | undefined {
  try {
    requestLiveDevice()[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const obstacle = obstacleHere();

function name(text: string): string {
  return obstacle === undefined ? text : `${text} (${obstacle})`;
}

Deno.test({
  name: name("litmus counts what comes out, and finds nothing that is forbidden"),
  ignore: obstacle !== undefined,
  async fn() {
    await using partner = new Partner();
    const shape = { order: "release", wave: "first", stressWaves: 1 } as const;
    const point = { test: "message_passing", ...shape } as const;
    await using trial = await litmus.setup(point, partner);
    await trial.run(2);
    const { counts, warnings } = trial.findings!();
    assertEquals([counts.interleaved, counts.weak, counts.forbidden], [2048, 0, 0]);
    assertEquals([typeof trial.adapter, warnings], ["string", []]);
  },
});

Deno.test({
  name: name("litmus_mutants counts what the right program forbids, without a warning"),
  ignore: obstacle !== undefined,
  async fn() {
    await using partner = new Partner();
    for (const stressWaves of [0, 1] as const) {
      const point = { mutant: "packet_first", stressWaves };
      await using trial = await litmusMutants.setup(point, partner);
      let isShown = false;
      for (let round = 0; round < 400 && !isShown; round++) {
        await trial.run(1);
        const { counts, warnings } = trial.findings!();
        isShown = counts.forbidden! > 0 && (counts.stressTurns! > 0) === (stressWaves > 0);
        assertEquals(warnings, []);
      }
      assert(isShown, "the mutant was not seen");
    }
  },
});

Deno.test("litmus leaves out what one word makes equal, and exchanges of nothing", () => {
  const reason = (test: string, order: "relaxed" | "exchange", wave: "first" | "second") =>
    litmus.skip!({ test, order, wave, stressWaves: 0 });
  assertEquals(reason("add", "relaxed", "first"), "one word has one order anyway");
  assertEquals(reason("message_passing", "exchange", "first"), undefined);
  assertEquals(
    reason("message_passing", "exchange", "second"),
    "the wave has no write to make an exchange of",
  );
});
