import { Channel, Client } from "../../core/mod.ts";
import { oneAxisAtATime, type Point } from "../axis.ts";
import { INCREMENT_OPCODE, IncrementCaller } from "../calls/increment.ts";
import { prepareCalls } from "../calls/increment_server.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";
import { livePingPong } from "./live_ping_pong.ts";

/** The end of a run is seen up to 2 ms late: samples are long against that. */
const SAMPLE_SECONDS_MIN = 0.1;

const axes = { portCount: [1, 64], laneCount: [1, 4, 32] } as const;

/** Calls of this thread, by a running wave and by a Worker, all of which spin. */
export const liveServe: Scenario<typeof axes> = {
  name: "live_serve",
  question: "What does a call cost that a running wave serves?",
  axes,
  floor: { ...livePingPong, sampleSecondsMin: SAMPLE_SECONDS_MIN },
  references: [{ name: "worker", setup: prepareCalls }],
  mainReference: "worker",
  needsAdapter: true,
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  points: () => oneAxisAtATime(axes, { portCount: 1, laneCount: 1 }),
  targets: [{
    text: "a call that a wave serves, times faster than one that a Worker serves",
    where: {},
    figure: { kind: "timesFasterThan", reference: "worker" },
    bound: "at least",
    limit: 1,
  }],
  setup: prepareServedByWave,
};

async function prepareServedByWave(shape: Point<typeof axes>): Promise<Trial> {
  using stack = new DisposableStack();
  const lab = stack.use(await LiveLab.openToWait());
  const channel = Channel.create(shape);
  const source = `@service(${INCREMENT_OPCODE}) fn increment(x: u32) -> u32 { return x + 1u; }`;
  const server = stack.use(await lab.server(channel, { source }));
  const caller = new IncrementCaller(new Client(channel, { waiter: "spin" }));
  const kept = stack.move();
  return {
    adapter: lab.adapter,
    async run(callCount) {
      const served = server.runAsync();
      try {
        caller.call(callCount);
      } finally {
        server.stop();
        await served;
      }
    },
    [Symbol.asyncDispose]() {
      kept.dispose();
      return Promise.resolve(channel.shutDown());
    },
  };
}
