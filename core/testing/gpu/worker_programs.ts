import type { Client } from "../../toggle/client/client.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import type { Packet } from "../../memory/packet.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { randomGenerator } from "../random.ts";
import { KernelOpcode } from "./services.ts";

/** One wave of a program, and where its lanes' results go. */
export interface ProgramWave {
  readonly client: Client;
  readonly waveIndex: number;
  readonly laneCount: number;
  readonly results: Int32Array;
}

/** What this folder's kernels do, as a Worker's client does it: one wave after the other. */
export const PROGRAMS = { countUp, laneIds, walkInterface, echoStreams, callAtRandom } as const;
export type ProgramName = keyof typeof PROGRAMS;

function lanesWhere(wave: ProgramWave, is: (lane: number) => boolean): number[] {
  return Array.from({ length: wave.laneCount }, (_, lane) => lane).filter(is);
}

function setResult(wave: ProgramWave, lane: number, value: number): void {
  wave.results[wave.waveIndex * wave.laneCount + lane] = value | 0;
}

function increment(wave: ProgramWave, lanes: readonly number[], counts: number[]): void {
  wave.client.call(KernelOpcode.INCREMENT, {
    fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, counts[lane]!)),
    use: (packet) => packet.forEachLane((lane) => counts[lane] = packet.getUint32(lane, 0)),
  }, { mask: laneMask(...lanes) });
}

function countUp(wave: ProgramWave): void {
  const { waveIndex, laneCount, client } = wave;
  const goalOf = (lane: number) =>
    10 + 10 * ((waveIndex % 2) * laneCount + lane) + 10 * Math.floor(waveIndex / 2);
  const counts = new Array<number>(laneCount).fill(0);
  const behind = () => lanesWhere(wave, (lane) => counts[lane]! < goalOf(lane));
  for (let lanes = behind(); lanes.length > 0; lanes = behind()) increment(wave, lanes, counts);
  counts.forEach((count, lane) => setResult(wave, lane, count));
  for (const parity of [1, 0]) {
    const lanes = lanesWhere(wave, (lane) => lane % 2 === parity);
    if (lanes.length > 0) client.cast(Opcode.noop, () => {}, { mask: laneMask(...lanes) });
  }
}

function laneIds(wave: ProgramWave): void {
  const sums = new Array<number>(wave.laneCount).fill(0);
  for (let repetition = 0; repetition < 50; repetition++) {
    const values = sums.map((_, lane) => lane + repetition);
    increment(wave, lanesWhere(wave, () => true), values);
    values.forEach((value, lane) => sums[lane]! += value);
  }
  sums.forEach((sum, lane) => setResult(wave, lane, sum));
}

function walkInterface(wave: ProgramWave): void {
  let counter = 0;
  const endsWithSend = wave.waveIndex % 2 === 1;
  const give = (packet: Packet) => packet.setUint32(0, 0, ++counter);
  const take = (packet: Packet) => counter = packet.getUint32(0, 0);
  const flow = wave.client.open(KernelOpcode.INTERFACE, { mask: laneMask(0) })
    .send((packet) => packet.setUint32(0, 0, endsWithSend ? 1 : 0))
    .send(give).recv(take).send(give).recv(take).send(give).send(give).recv(take).recv(take);
  (endsWithSend ? flow.send(give) : flow.recv(take)).close();
  setResult(wave, 0, counter);
}

function echoStreams(wave: ProgramWave): void {
  const { waveIndex, laneCount, client } = wave;
  const payloads = Array.from({ length: laneCount }, (_, lane) => {
    const me = waveIndex * laneCount + lane;
    const length = waveIndex % 2 === 0 ? 251 : me % 128;
    return Uint8Array.from({ length }, (_, position) => me * 31 + position * 7);
  });
  using port = client.open(KernelOpcode.ECHO_PLUS_ONE);
  sendStream(port, payloads);
  recvStream(port, { limitBytes: 4096 }).forEach((bytes, lane) => {
    const sum = bytes!.reduce((sum, byte) => Math.imul(sum, 16777619) ^ byte, bytes!.length);
    setResult(wave, lane, sum);
  });
}

interface RandomLane {
  readonly random: () => number;
  readonly iterations: number;
  iteration: number;
  burst: number;
}

function callAtRandom(wave: ProgramWave): void {
  const lanes = Array.from({ length: wave.laneCount }, (_, lane) => randomLane(wave, lane));
  const counts = lanes.map(() => 0);
  const wanting = () => lanesWhere(wave, (lane) => wantsCall(lanes[lane]!));
  for (let some = wanting(); some.length > 0; some = wanting()) {
    increment(wave, some, counts);
    for (const lane of some) lanes[lane]!.burst--;
  }
  lanes.forEach(({ iterations }, lane) => setResult(wave, lane, counts[lane]! * 1000 + iterations));
}

function randomLane(wave: ProgramWave, lane: number): RandomLane {
  const random = randomGenerator(0x9e3779b9 ^ (wave.waveIndex * wave.laneCount + lane + 1));
  return { random, iterations: 128 + random() % 128, iteration: 0, burst: 0 };
}

/** Goes on to the lane's next call; says no when it has none left. */
function wantsCall(lane: RandomLane): boolean {
  while (lane.burst === 0 && lane.iteration < lane.iterations) {
    lane.iteration++;
    // The kernel waits here for a random time: only the random number is of interest.
    if (lane.random() % 127 === 0) lane.random();
    lane.burst = lane.random() % 2;
    if (lane.random() % 64 === 0) lane.burst = 2 + lane.random() % 7;
  }
  return lane.burst > 0;
}
