import { compilerProblem } from "../native/native_library.ts";
import { prepareC, prepareConsole, prepareWrites } from "./line_controls.ts";

const SHAPE = { waveCount: 3, laneCount: 2, linesPerLane: 5 };

Deno.test("prepareWrites() writes the bytes of any number of turns", async () => {
  await using trial = await prepareWrites(SHAPE);
  for (const callCount of [0, 1, 700]) trial.run(callCount);
});

Deno.test({
  name: "prepareC() prints as many bytes as the lines have",
  ignore: compilerProblem() !== undefined,
  async fn() {
    await using trial = await prepareC(SHAPE);
    for (const callCount of [0, 1, 700]) trial.run(callCount);
  },
});

Deno.test({
  name: "prepareConsole() prints by another process, and waits for it",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using trial = await prepareConsole(SHAPE);
    for (const callCount of [1, 20]) await trial.run(callCount);
  },
});
