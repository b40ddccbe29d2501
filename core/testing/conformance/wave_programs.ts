import { assert } from "../../memory/assert.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import type { Packet } from "../../memory/packet.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import type { Client } from "../../toggle/client/client.ts";
import { randomGenerator } from "../random.ts";
import { ECHO_LIMIT_BYTES, TestOpcode } from "./services.ts";

/** One wave of a program, and where its lanes' results go. */
export interface ProgramWave {
  readonly client: Client;
  readonly waveIndex: number;
  readonly laneCount: number;
  readonly results: Int32Array;
}

/**
 * LLVM libc's GPU tests, as a Worker's client runs them: one wave after the other. Each throws when it sees
 * anything that it should not, and has a kernel of its name in `core/testing/gpu` that gives the same results.
 */
export const WAVE_PROGRAMS = {
  countUp,
  laneIds,
  walkInterface,
  echoStreams,
  callAtRandom,
} as const;
export type WaveProgramName = keyof typeof WAVE_PROGRAMS;

function lanesWhere(wave: ProgramWave, is: (lane: number) => boolean): number[] {
  return Array.from({ length: wave.laneCount }, (_, lane) => lane).filter(is);
}

function setResult(wave: ProgramWave, lane: number, value: number): void {
  wave.results[wave.waveIndex * wave.laneCount + lane] = value | 0;
}

function increment(wave: ProgramWave, lanes: readonly number[], counts: number[]): void {
  wave.client.call(TestOpcode.increment, {
    fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, counts[lane]!)),
    use: (packet) => packet.forEachLane((lane) => counts[lane] = packet.getUint32(lane, 0)),
  }, { mask: laneMask(...lanes) });
}

/** L1 and L2: lanes count up by calls until each has its own number; then the halves diverge. */
function countUp(wave: ProgramWave): void {
  const { waveIndex, laneCount, client } = wave;
  const goalOf = (lane: number) =>
    10 + 10 * ((waveIndex % 2) * laneCount + lane) + 10 * Math.floor(waveIndex / 2);
  const counts = new Array<number>(laneCount).fill(0);
  const behind = () => lanesWhere(wave, (lane) => counts[lane]! < goalOf(lane));
  for (let lanes = behind(); lanes.length > 0; lanes = behind()) increment(wave, lanes, counts);
  assert(counts.every((count, lane) => count === goalOf(lane)), "every lane reached its number");
  counts.forEach((count, lane) => setResult(wave, lane, count));
  for (const parity of [1, 0]) {
    const mask = laneMask(...lanesWhere(wave, (lane) => lane % 2 === parity));
    const fill = (p: Packet) => p.forEachLane((lane) => p.setUint32(lane, 0, 2 - parity));
    if (parity < laneCount) client.cast(Opcode.noop, fill, { mask });
  }
}

/** L3: data does not cross lanes. */
function laneIds(wave: ProgramWave): void {
  const sums = new Array<number>(wave.laneCount).fill(0);
  for (let repetition = 0; repetition < 50; repetition++) {
    const values = sums.map((_, lane) => lane + repetition);
    increment(wave, lanesWhere(wave, () => true), values);
    values.forEach((value, lane) => {
      assert(value === lane + repetition + 1, "a lane gets its own answer");
      sums[lane]! += value;
    });
  }
  sums.forEach((sum, lane) => setResult(wave, lane, sum));
}

/** L4: every pair of neighbours of sends and receives, from and to both parities of the port. */
function walkInterface(wave: ProgramWave): void {
  let counter = 0;
  const endsWithSend = wave.waveIndex % 2 === 1;
  const give = (packet: Packet) => packet.setUint32(0, 0, ++counter);
  const take = (packet: Packet) => counter = packet.getUint32(0, 0);
  const flow = wave.client.open(TestOpcode.interface, { mask: laneMask(0) })
    .send((packet) => packet.setUint32(0, 0, endsWithSend ? 1 : 0))
    .send(give).recv(take).send(give).recv(take).send(give).send(give).recv(take).recv(take);
  (endsWithSend ? flow.send(give) : flow.recv(take)).close();
  assert(counter === 9, "the counter went through all nine operations");
  setResult(wave, 0, counter);
}

/** L5 and L6: all lanes send a long text; in odd waves they need 0 to 3 packets each. */
function echoStreams(wave: ProgramWave): void {
  const { waveIndex, laneCount, client } = wave;
  const payloads = Array.from({ length: laneCount }, (_, lane) => {
    const me = waveIndex * laneCount + lane;
    const length = waveIndex % 2 === 0 ? 251 : me % 128;
    return Uint8Array.from({ length }, (_, position) => me * 31 + position * 7);
  });
  using port = client.open(TestOpcode.echoPlusOne);
  sendStream(port, payloads);
  recvStream(port, { limitBytes: ECHO_LIMIT_BYTES }).forEach((bytes, lane) => {
    const expected = payloads[lane]!.map((byte) => byte + 1);
    assert(String(bytes) === String(expected), "each byte comes back plus one");
    const sum = bytes!.reduce((sum, byte) => Math.imul(sum, 16777619) ^ byte, bytes!.length);
    setResult(wave, lane, sum);
  });
}

/** Sends a payload a lane to the echo, and compares what comes back. */
export function echoOnce(client: Client, payloads: readonly (Uint8Array | undefined)[]): void {
  const lanes = payloads.flatMap((bytes, lane) => bytes ? [lane] : []);
  using port = client.open(TestOpcode.echo, { mask: laneMask(...lanes) });
  sendStream(port, payloads);
  const answers = recvStream(port, { limitBytes: ECHO_LIMIT_BYTES });
  for (const lane of lanes) {
    assert(String(answers[lane]) === String(payloads[lane]), "the echo is what was sent");
  }
}

interface RandomLane {
  readonly random: () => number;
  readonly iterations: number;
  iteration: number;
  burst: number;
  calls: number;
}

/** L8: lanes drop in and out at random, wait at random, and call in bursts. */
function callAtRandom(wave: ProgramWave): void {
  const lanes = Array.from({ length: wave.laneCount }, (_, lane) => randomLane(wave, lane));
  const counts = lanes.map(() => 0);
  const wanting = () => lanesWhere(wave, (lane) => wantsCall(lanes[lane]!));
  for (let some = wanting(); some.length > 0; some = wanting()) {
    increment(wave, some, counts);
    for (const lane of some) {
      lanes[lane]!.burst--;
      lanes[lane]!.calls++;
    }
  }
  assert(lanes.every(({ calls }, lane) => counts[lane] === calls), "every lane counted its own");
  lanes.forEach(({ iterations }, lane) => setResult(wave, lane, counts[lane]! * 1000 + iterations));
}

function randomLane(wave: ProgramWave, lane: number): RandomLane {
  const random = randomGenerator(0x9e3779b9 ^ (wave.waveIndex * wave.laneCount + lane + 1));
  return { random, iterations: 128 + random() % 128, iteration: 0, burst: 0, calls: 0 };
}

/** Goes on to the lane's next call; says no when it has none left. */
function wantsCall(lane: RandomLane): boolean {
  while (lane.burst === 0 && lane.iteration < lane.iterations) {
    lane.iteration++;
    if (lane.random() % 127 === 0) spinFor(lane.random() % 4096);
    lane.burst = lane.random() % 2;
    if (lane.random() % 64 === 0) lane.burst = 2 + lane.random() % 7;
  }
  return lane.burst > 0;
}

function spinFor(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum + step) | 0;
  return sum;
}
