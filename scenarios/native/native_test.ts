import { Partner } from "../partner/partner.ts";
import { native } from "./native.ts";
import { compilerProblem } from "./native_library.ts";

const ignore = compilerProblem() !== undefined;

Deno.test({
  name: "native makes checked calls, ours and in C in turn, with the same partner",
  ignore,
  async fn() {
    await using partner = new Partner();
    const point = { portCount: 64, laneCount: 32, packetLayout: "word-major" } as const;
    const [inC] = native.references!;
    await using ours = await native.setup(point, partner);
    await using theirs = await inC!.setup(point, partner);
    for (const trial of [ours, theirs, ours, theirs]) {
      trial.wake!();
      for (const callCount of [0, 1, 1000]) trial.run(callCount);
      trial.rest!();
    }
  },
});
