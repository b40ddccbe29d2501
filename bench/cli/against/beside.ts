// Loaded by a URL that says what to compare with: `?before=` is the root of another tree of this
// project, `?c=` the compiled `toggle.c`. Each export is a scenario of the lab, which `main.ts` sweeps.
import { delay } from "@std/async";
import { allPoints, type Axes, type Point } from "../../../scenarios/axis.ts";
import { prepareServed } from "../../../scenarios/calls/increment_server.ts";
import { prepareNativeCalls } from "../../../scenarios/native/native_calls.ts";
import type { Control, Scenario } from "../../../scenarios/scenario.ts";
import { pingPong } from "../../../scenarios/worker/ping_pong.ts";

const { searchParams } = new URL(import.meta.url);
const NOW = new URL("../../../", import.meta.url).href;
/** The root of the other tree; this tree is compared with itself when there is none. */
const BEFORE = searchParams.get("before") ?? NOW;
const C_PATH = searchParams.get("c");

const ONE_CALL = { portCount: 1, laneCount: 1 } as const;

/** One lane's word to each of the ports of a channel, in turn with the same call in C. */
const IN_C: Control = {
  name: "in_c",
  setup: ({ portCount, laneCount }, partner) =>
    prepareNativeCalls({ portCount: Number(portCount), laneCount: Number(laneCount) }, partner, {
      path: C_PATH!,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

/** Some points of a scenario of this project. */
interface Shape {
  readonly name: string;
  /** The scenario, and below `scenarios/` the file that exports it. */
  readonly scenario: string;
  readonly file: string;
  /** What moves from point to point; the one point of `fixed` when absent. */
  readonly axes?: Axes;
  /** The values of the scenario's other axes. */
  readonly fixed: Point;
  /** The name of what the scenario compares with: its floor, or one of its references. */
  readonly reference?: string;
}

export const calls: Scenario = await beside({
  name: "calls",
  scenario: "native",
  file: "native/native.ts",
  axes: { portCount: [1, 64, 1024, 4096], laneCount: [1, 32, 64] },
  fixed: { packetLayout: "word-major" },
}, C_PATH === null ? undefined : IN_C);

export const pipelined: Scenario = await beside({
  name: "pipelined",
  scenario: "in_flight",
  file: "worker/in_flight.ts",
  fixed: { inFlight: 32, by: "ports" },
  reference: "synchronous",
});

export const awaited: Scenario = await beside({
  name: "awaited",
  scenario: "in_flight",
  file: "worker/in_flight.ts",
  fixed: { inFlight: 1, by: "promises" },
  reference: "synchronous",
});

export const messages: Scenario = await beside({
  name: "messages",
  scenario: "round_trip",
  file: "worker/round_trip.ts",
  fixed: { ...ONE_CALL, waiting: "spin+spin" },
  reference: "post_message",
});

export const streams: Scenario = await beside({
  name: "streams",
  scenario: "stream",
  file: "worker/stream.ts",
  fixed: { laneCount: 1, window: 2 },
  reference: "plain_set",
});

/** Each of its calls is a millisecond in which nobody calls: of a server that sleeps. */
export const idle: Scenario = idleOf("idle", prepareServed);

/** Beside {@linkcode idle}, as the processor time of two servers of one process cannot be told apart. */
export const idle_before: Scenario = idleOf(
  "idle_before",
  (await import(`${BEFORE}scenarios/calls/increment_server.ts`)).prepareServed,
);

/**
 * The scenario at some points, in turn with itself as the other tree has it. The trees share no code,
 * so each is compiled as if it were alone; only the floor and the two threads are one.
 */
async function beside(
  { name, scenario, file, axes = {}, fixed, reference }: Shape,
  given?: Control,
): Promise<Scenario> {
  const [now, before] = await Promise.all([NOW, BEFORE].map(async (tree) => {
    const exported: readonly Scenario[] = Object.values(await import(`${tree}scenarios/${file}`));
    return exported.find((one) => one.name === scenario)!;
  })) as [Scenario, Scenario];
  const own = [now.floor, ...now.references ?? []].find((control) => control?.name === reference);
  const whole = ({ setup }: Control): Control["setup"] => (point, partner) =>
    setup({ ...point, ...fixed }, partner);
  return {
    name,
    question: now.question,
    axes,
    points: () => allPoints(axes),
    floor: pingPong,
    isPair: true,
    references: [{ ...before, name: "before" }, given ?? own ?? []].flat()
      .map((control) => ({ name: control.name, setup: whole(control) })),
    setup: whole(now),
  };
}

function idleOf(name: string, prepare: typeof prepareServed): Scenario {
  return {
    name,
    question: "What does a server that sleeps take of a processor?",
    axes: {},
    floor: pingPong,
    isPair: true,
    countsCpuTime: true,
    setup: (_point, partner) =>
      prepare(ONE_CALL, partner, {
        init: { waiter: "park" },
        callerOf: () => ({ call: (milliseconds) => delay(milliseconds) }),
      }),
  };
}
