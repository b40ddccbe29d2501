import { assert } from "../../memory/assert.ts";
import type { Client } from "../../toggle/client/client.ts";
import { type LaneMask, laneMask, lanesOf } from "../../memory/lane_mask.ts";
import { Opcode } from "../../memory/opcode.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { ECHO_LIMIT_BYTES, TestOpcode } from "./services.ts";
import { randomGenerator } from "../random.ts";

/** Which of how many clients runs a program. */
export interface ClientPlace {
  readonly clientIndex: number;
  readonly clientCount: number;
}

/** LLVM's grid: 2x2x2 blocks of 4x4x4 threads, in waves of 32 lanes. */
const BLOCK_COUNT = 8;
const THREADS_PER_BLOCK = 64;
const LANE_COUNT = 32;

interface Wave {
  readonly block: number;
  /** Thread of lane 0. */
  readonly firstThread: number;
}

/** The waves of the grid that fall to this client. */
function* wavesOf(place: ClientPlace): Generator<Wave> {
  const wavesPerBlock = THREADS_PER_BLOCK / LANE_COUNT;
  for (
    let wave = place.clientIndex;
    wave < BLOCK_COUNT * wavesPerBlock;
    wave += place.clientCount
  ) {
    const block = Math.floor(wave / wavesPerBlock);
    yield { block, firstThread: (wave % wavesPerBlock) * LANE_COUNT };
  }
}

/** L1 and L2: lanes count up by calls until each has its own number, then the halves diverge. */
export function countUp(client: Client, place: ClientPlace): number {
  let calls = 0;
  for (const wave of wavesOf(place)) {
    const targets = Array.from({ length: LANE_COUNT }, (_, lane) => targetOf(wave, lane));
    const counts = new Array<number>(LANE_COUNT).fill(0);
    while (counts.some((count, lane) => count < targets[lane]!)) {
      const busy = targets.map((_, lane) => lane).filter((lane) => counts[lane]! < targets[lane]!);
      incrementLanes(client, laneMask(...busy), counts);
      calls++;
    }
    assert(counts.every((count, lane) => count === targets[lane]), "every lane reached its number");
    diverge(client);
  }
  return calls;
}

function targetOf(wave: Wave, lane: number): number {
  return 10 + 10 * (wave.firstThread + lane) + 10 * wave.block;
}

function incrementLanes(client: Client, mask: LaneMask, counts: number[]): void {
  client.call(TestOpcode.increment, {
    fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, counts[lane]!)),
    use: (packet) => packet.forEachLane((lane) => counts[lane] = packet.getUint32(lane, 0)),
  }, { mask });
}

/** L2: odd and even lanes of one wave open ports of their own, and do not wait for an answer. */
function diverge(client: Client): void {
  const lanes = Array.from({ length: LANE_COUNT }, (_, lane) => lane);
  for (const parity of [1, 0]) {
    const mask = laneMask(...lanes.filter((lane) => lane % 2 === parity));
    const value = parity === 1 ? 1 : 2;
    client.cast(Opcode.noop, (p) => p.forEachLane((lane) => p.setUint32(lane, 0, value)), { mask });
  }
}

/** L3: data does not cross lanes. */
export function laneIds(client: Client): number {
  for (let repetition = 0; repetition < 1000; repetition++) {
    client.call(TestOpcode.increment, {
      fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, lane)),
      use: (packet) =>
        packet.forEachLane((lane) =>
          assert(packet.getUint32(lane, 0) - 1 === lane, "a lane gets its own answer")
        ),
    });
  }
  return 1000;
}

/** L4: every pair of neighbours of sends and receives, from and to both parities of the port. */
export function walkInterface(client: Client): number {
  for (const endsWithSend of [true, false, true, true, false, false]) {
    let counter = 0;
    const give = (packet: { setUint32(lane: number, word: number, value: number): void }) =>
      packet.setUint32(0, 0, ++counter);
    const take = (packet: { getUint32(lane: number, word: number): number }) =>
      counter = packet.getUint32(0, 0);
    const flow = client.open(TestOpcode.interface, { mask: laneMask(0) })
      .send((packet) => packet.setUint32(0, 0, endsWithSend ? 1 : 0))
      .send(give).recv(take).send(give).recv(take).send(give).send(give).recv(take).recv(take);
    const last = endsWithSend ? flow.send(give) : flow.recv(take);
    last.close();
    assert(counter === 9, "the counter went through all nine operations");
  }
  return 6;
}

/** L5: every lane sends the same long string, and gets it back. */
export function echoStrings(client: Client, place: ClientPlace): number {
  const text = new TextEncoder().encode("0123456789".repeat(25) + ".");
  assert(text.length === 251, "the string is as long as LLVM's");
  for (const _wave of wavesOf(place)) echoOnce(client, new Array(LANE_COUNT).fill(text));
  return BLOCK_COUNT;
}

/** L6: lanes need 1 to 3 packets each, and one needs none of its 56 bytes. */
export function echoDivergent(client: Client, place: ClientPlace): number {
  const text = Uint8Array.from({ length: 128 }, (_, byte) => byte * 7 + 1);
  for (const { block, firstThread } of wavesOf(place)) {
    const slices = Array.from({ length: LANE_COUNT }, (_, lane) => {
      return text.subarray(0, (firstThread + lane + THREADS_PER_BLOCK * block) % 128);
    });
    echoOnce(client, slices);
  }
  return BLOCK_COUNT;
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

/** L8: lanes drop in and out at random, wait at random, and call in bursts. */
export function callAtRandom(client: Client, place: ClientPlace): number {
  const random = randomGenerator(0x9e3779b9 ^ (place.clientIndex + 1));
  const counts = new Array<number>(LANE_COUNT).fill(0);
  const expected = new Array<number>(LANE_COUNT).fill(0);
  const iterations = 128 + random() % 128;
  for (let iteration = 0; iteration < iterations; iteration++) {
    if (random() % 127 === 0) spinFor(random() % 4096);
    const burst = random() % 64 === 0 ? 2 + random() % 7 : 1;
    for (let call = 0; call < burst; call++) callRandomLanes(client, random, { counts, expected });
  }
  assert(String(counts) === String(expected), "every lane counted its own calls");
  return iterations;
}

function callRandomLanes(
  client: Client,
  random: () => number,
  lanes: { readonly counts: number[]; readonly expected: number[] },
): void {
  const mask = { lo: random(), hi: 0 };
  if (mask.lo === 0) return;
  for (const lane of lanesOf(mask)) lanes.expected[lane]!++;
  incrementLanes(client, mask, lanes.counts);
}

function spinFor(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum + step) | 0;
  return sum;
}
