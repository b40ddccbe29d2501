import { Channel } from "../../core/mod.ts";
import type { Control, Scenario } from "../scenario.ts";
import { LiveLab } from "./live_lab.ts";
import { REST_WGSL } from "./live_ping_pong.ts";

/** The end of a run that nobody in this thread serves is seen up to 2 ms late. */
const SAMPLE_SECONDS_MIN = 0.1;
const WAVE_COUNT = 4;
/** Of arithmetic, in each of what `run` counts. */
const ROUNDS = 1000;

const axes = {} as const;

/** The same arithmetic in a shader that has no channel. */
const bareShader: Control = {
  name: "bare_shader",
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  async setup() {
    const lab = await LiveLab.open();
    const { words, run } = lab.bareKernel(`
      ${REST_WGSL}
      @compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3u) {
        let rounds = atomicLoad(&words[64]);
        atomicStore(&words[128u + group.x], rest(rounds, group.x));
      }`);
    return {
      adapter: lab.adapter,
      run(callCount) {
        words.store(64, callCount * ROUNDS);
        run(WAVE_COUNT, () => {});
      },
      [Symbol.asyncDispose]: () => Promise.resolve(lab[Symbol.dispose]()),
    };
  },
};

/** A kernel that could call the host, and does not. */
export const liveNoCall: Scenario<typeof axes> = {
  name: "live_no_call",
  question: "What does a channel cost a kernel that never calls?",
  axes,
  floor: bareShader,
  needsAdapter: true,
  sampleSecondsMin: SAMPLE_SECONDS_MIN,
  targets: [{
    text: "a kernel that never calls, in times of the same shader without a channel",
    where: {},
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 1.05,
  }],
  async setup() {
    const lab = await LiveLab.open();
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    const buffer = lab.createBuffer(1 + WAVE_COUNT);
    const words = new Uint32Array(buffer.words!);
    const kernel = await lab.kernel(channel, {
      source: `
        @group(1) @binding(0) var<storage, read_write> words: array<u32>;
        @service(40000) fn tell(x: u32) -> u32;
        ${REST_WGSL}
        fn kernel() {
          let result = rest(words[0], wave_index);
          // Never: the number is odd.
          if words[0] == 1u { _ = tell(result); }
          words[1u + wave_index] = result;
        }`,
      waveCount: WAVE_COUNT,
      buffers: [buffer],
    });
    return {
      adapter: lab.adapter,
      async run(callCount) {
        words[0] = callCount * ROUNDS;
        const { packetCount } = await kernel.runAsync();
        if (packetCount > 0) {
          throw new Error(`Cannot trust the run as waves called ${packetCount} times`);
        }
      },
      [Symbol.asyncDispose]: () => Promise.resolve(lab[Symbol.dispose]()),
    };
  },
};
