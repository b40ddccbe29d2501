/** Workers that are asked to leave, at random moments too, while others call and check every answer. */
import { assert } from "../../../memory/assert.ts";
import { Status } from "../../../memory/status.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { evictClient, type LeaveReport } from "../../../toggle/evict.ts";
import { lockOwner } from "../../../toggle/lock/owner_locks.ts";
import { startServer } from "../../../worker/start_server.ts";
import { randomGenerator } from "../../random.ts";
import { TestOpcode } from "../services.ts";
import { SERVICES, TestBed, until } from "../test_bed.ts";
import type { Case } from "./case.ts";

const IN_TIME = { timeoutSeconds: 20 };
const WORK = { fill() {}, use() {} };
const INCREMENT = TestOpcode.increment;

/** How often, and in which order of moments. */
export interface LeavingPlan {
  readonly rounds: number;
  readonly seed: number;
}

/** For every runtime; Deno's own test takes more rounds and another seed. */
const PLAN: LeavingPlan = { rounds: 5, seed: 1 };

export const LEAVING_CASES: readonly Case[] = [
  ...(["shutDown", "terminate"] as const).map((ending) => ({
    name: `X5: waiters are released with an error when the server goes away by ${ending}`,
    run: () => loseServerBy(ending),
    expected: [Status.serverGone, Status.serverGone, Status.serverGone],
  })),
  {
    name: "X5: with one of two servers terminated, calls go on",
    run: loseOneServer,
    expected: [{ hasLeft: true, heldPortCount: 0 }, "number", [40]],
  },
  {
    name: "A client that is asked to leave gives its ports back; the others never stop",
    run: askClientsToLeave,
    expected: [Status.askedToLeave, Status.askedToLeave],
  },
  {
    name: "A client that does not answer keeps its port until it comes back",
    run: askDeafClient,
    expected: [{ hasLeft: false, heldPortCount: 1 }, "no other port", Status.askedToLeave],
  },
  {
    name: "Servers that leave at random moments lose no call and spoil no answer",
    run: () => serversLeave(PLAN),
    expected: [Status.serverGone, Status.serverGone],
  },
  {
    name: "Clients that leave at random moments disturb no other",
    run: () => clientsLeave(PLAN),
    expected: Status.serverGone,
  },
];

async function loseServerBy(ending: "shutDown" | "terminate"): Promise<number[]> {
  await using bed = await TestBed.start({ portCount: 8, laneCount: 1 });
  const clients = [
    await bed.startClient("callUntilGone"),
    await bed.startClient("callUntilGone"),
    await bed.startClient("callUntilGone"),
  ];
  await sleep(20);
  if (ending === "shutDown") bed.channel.shutDown();
  else await bed.servers[0]!.terminate();
  return await Promise.all(clients.map((client) => client.done));
}

/** The call that the server worked on is finished: the client returns a number. */
async function loseOneServer(): Promise<unknown> {
  await using bed = await TestBed.start({ portCount: 8, laneCount: 32, serverCount: 2 });
  const running = await bed.startClient("countUp");
  const report = await bed.servers[0]!.terminate({ timeoutSeconds: 10 });
  return [report, typeof await running.done, await bed.run("laneIds")];
}

async function askClientsToLeave(): Promise<number[]> {
  await using bed = await TestBed.start({ portCount: 4, laneCount: 32, serverCount: 2 });
  const working = await bed.startClient("countUp");
  const results: number[] = [];
  for (const program of ["holdUntilAsked", "holdInCall"] as const) {
    const leaving = await bed.startClient(program);
    await until(() => holdsPort(bed.channel, leaving.clientId));
    checkLeft(await evictClient(bed.channel, leaving.clientId, IN_TIME), program);
    results.push(await leaving.done);
  }
  await working.done;
  const client = new Client(bed.channel);
  const ports = Array.from({ length: 4 }, () => client.open(INCREMENT, { timeoutSeconds: 5 }));
  for (const port of ports) port.sendAndRecv(WORK).close();
  return results;
}

async function askDeafClient(): Promise<unknown> {
  await using bed = await TestBed.start({ portCount: 2, laneCount: 1 });
  const deaf = await bed.startClient("holdDeaf");
  const { words, layout: { clientLockWord } } = bed.channel;
  await until(() => [0, 1].some((index) => words.load(clientLockWord + index) !== 0));
  const report = await evictClient(bed.channel, deaf.clientId, { timeoutSeconds: 0.02 });
  const client = new Client(bed.channel);
  using only = client.open(INCREMENT);
  const other = client.tryOpen(INCREMENT) ? "another port" : "no other port";
  const status = await deaf.done;
  client.open(INCREMENT, { timeoutSeconds: 5 }).close();
  only.sendAndRecv(WORK);
  return [report, other, status];
}

/** Two clients check every answer, while one server after the other comes and goes. */
export async function serversLeave({ rounds, seed }: LeavingPlan): Promise<number[]> {
  const random = randomGenerator(seed);
  await using bed = await TestBed.start({ portCount: 3, laneCount: 1 });
  const clients = [
    await bed.startClient("checkUntilGone"),
    await bed.startClient("checkUntilGone"),
  ];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(bed.channel, { services: [SERVICES] });
    await sleep(random() % 4);
    checkLeft(await server.terminate(IN_TIME), `round ${round}`);
  }
  bed.channel.shutDown();
  return await Promise.all(clients.map((client) => client.done));
}

/** One client checks every answer, while one other after the other comes and goes. */
export async function clientsLeave({ rounds, seed }: LeavingPlan): Promise<number> {
  const random = randomGenerator(seed);
  await using bed = await TestBed.start({ portCount: 2, laneCount: 1, serverCount: 2 });
  const staying = await bed.startClient("checkUntilGone");
  for (let round = 0; round < rounds; round++) {
    const client = await bed.startClient("checkUntilGone");
    await sleep(random() % 4);
    checkLeft(await evictClient(bed.channel, client.clientId, IN_TIME), `round ${round}`);
    assert(await client.done === Status.askedToLeave, `round ${round}: it was asked to leave`);
    await client.link.terminate();
  }
  bed.channel.shutDown();
  return await staying.done;
}

function checkLeft({ hasLeft, heldPortCount }: LeaveReport, when: string): void {
  assert(hasLeft && heldPortCount === 0, `${when}: who is asked leaves, and keeps no port`);
}

function holdsPort({ words, layout }: Channel, clientId: number): boolean {
  const ports = Array.from({ length: layout.portCount }, (_, index) => index);
  return ports.some((index) => lockOwner(words.load(layout.clientLockWord + index)) === clientId);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
