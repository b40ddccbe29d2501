import { assert, assertEquals } from "@std/assert";
import { SharedWords } from "../../../memory/words.ts";
import { hostPlay, sameOf } from "./litmus_host.ts";
import { allowedOutcomes, MIXED, outcomeText, tellsLast } from "./litmus_outcomes.ts";
import { hasResult, LITMUS_CASES, programOf } from "./litmus_table.ts";

Deno.test("hostPlay() on both sides, one after the other, gives an outcome that is allowed", () => {
  for (const test of LITMUS_CASES) {
    for (const early of ["first", "second"] as const) {
      const words = new SharedWords(new SharedArrayBuffer(256));
      words.plain[0] = test.initial ?? 0;
      const laneCount = test.isVector ? 4 : 1;
      const played = new Map<string, number[]>();
      const late = early === "first" ? "second" : "first";
      // The host has the program that the wave has not.
      for (const [mine, wave] of [[early, late], [late, early]] as const) {
        const setting = { test, order: "release", wave } as const;
        const results = new Int32Array(programOf(setting, "host").filter(hasResult).length + 2);
        hostPlay(words, setting, laneCount)({ x: 0, y: 32 }, results, 1);
        assertEquals([results[0], results.at(-1)], [0, 0], "results stay in their places");
        played.set(mine, [...results.subarray(1, -1)]);
      }
      const all = [...played.get("first")!, ...played.get("second")!];
      const text = outcomeText(all, tellsLast(test) ? words.plain[0] : undefined);
      const outcome = allowedOutcomes({ test, order: "exchange", wave: "first" }).get(text);
      assert(outcome?.kind === "interleaved", `${test.name}: ${text}`);
    }
  }
});

Deno.test("sameOf() says when words differ", () => {
  assertEquals([sameOf([1, 1, 1]), sameOf([0]), sameOf([1, 1, 0])], [1, 0, MIXED]);
});
