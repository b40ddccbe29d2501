// A scenario whose points answer, throw, or hang with both threads in busy loops. Each measuring process
// first writes its id to the file that PORTLAB_PID_FILE names.
import type { Scenario } from "../../../scenarios/scenario.ts";

const axes = { way: ["answers", "throws", "hangs", "exits"], size: [1, 2, 3] } as const;
const workUrl = new URL("../../../scenarios/partner/testdata/counting_work.ts", import.meta.url);

export const misbehaving: Scenario<typeof axes> = {
  name: "misbehaving",
  question: "Does the sweep go on?",
  axes,
  skip: ({ size }) => size === 3 ? "three is a crowd" : undefined,
  async setup({ way }, partner) {
    const pidFile = Deno.env.get("PORTLAB_PID_FILE");
    if (pidFile !== undefined) Deno.writeTextFileSync(pidFile, `${Deno.pid}`);
    const init = new SharedArrayBuffer(64);
    const work = await partner.assign({ moduleUrl: workUrl.href, init, signalRest: () => {} });
    return {
      run(callCount) {
        if (way === "throws") throw new Error("it throws");
        if (way === "exits") Deno.exit(7);
        if (way === "hangs") work.wake();
        while (way === "hangs") callCount++;
        for (let call = 0; call < callCount; call++) Math.imul(call, call);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};
