/** Kills a process in each step of its calls, and looks whether the others go on. */
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import { Client } from "../../toggle/client/client.ts";
import { SharedFile } from "../../process/shared/shared_file.ts";
import { TimeLimit } from "../../system/child.ts";
import { startServer } from "../../worker/start_server.ts";
import { randomGenerator } from "../random.ts";

const SIDES = ["client", "server"] as const;
type Side = typeof SIDES[number];

/** More than a call, a stream and a cast of either side take together. */
const WRITES_MAX = 64;
const SHAPE = { portCount: 2, laneCount: 1 };
/** Whatever is late by so much has not happened: who died is known in a twentieth of a second. */
const WAIT = { timeoutSeconds: 20 };
/** A server whom no call reaches dies without a step. */
const MORTAL_SECONDS_MAX = 5;

/** What came of the rounds of one side. */
export interface DeathReport {
  readonly side: Side;
  readonly rounds: number;
  /** Calls of who lives: answered rightly, and ended as their server had died. */
  readonly answered: number;
  readonly goneCalls: number;
  /** In which steps it died, of 64. */
  readonly stepCount: number;
  /** From the death to the last port that was free again, at most. */
  readonly freeSecondsMax: number;
}

/**
 * Plays rounds, half of them of clients and half of servers.
 *
 * @throws {Error} when an answer is wrong, a port is not free again, or anything takes longer than 20 s
 */
export async function playDeaths(
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<readonly DeathReport[]> {
  const random = randomGenerator(seed);
  using file = SharedFile.create(SHAPE);
  const services = [new URL("../../process/testdata/llvm_services.ts", import.meta.url)];
  await using _server = await startServer(file.channel, {
    services,
    keepsAlive: false,
    clientTimeoutSeconds: 2,
  });
  const client = new Client(file.channel);
  const reports: DeathReport[] = [];
  for (const side of SIDES) {
    const steps = new Set<number>();
    const sum = { answered: 0, goneCalls: 0, freeSecondsMax: 0 };
    const count = Math.ceil(rounds / SIDES.length);
    for (let round = 0; round < count; round++) {
      const writes = random() % WRITES_MAX;
      steps.add(writes);
      try {
        await playRound(file, client, { side, writes, sum });
      } catch (cause) {
        throw new Error(`Round ${round} of a ${side} that dies before write ${writes}: ${cause}`, {
          cause,
        });
      }
    }
    reports.push({ side, rounds: count, stepCount: steps.size, ...sum });
  }
  return reports;
}

interface Round {
  readonly side: Side;
  readonly writes: number;
  readonly sum: { answered: number; goneCalls: number; freeSecondsMax: number };
}

async function playRound(file: SharedFile, client: Client, round: Round): Promise<void> {
  const { side, writes, sum } = round;
  const script = new URL("./testdata/mortal.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, file.path, side, String(writes)],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  await readyOf(child);
  using _limit = new TimeLimit(child, MORTAL_SECONDS_MAX);
  let isDead = false;
  const died = child.status.then(() => void (isDead = true));
  // Two calls at once, so that both servers have some.
  const calls = async (first: number) => {
    for (let value = first; !isDead; value += 2) {
      await callOnce(client, value, sum);
      // A call that is answered at once lets the event loop hear of nothing, such as the death.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
  await Promise.all([calls(0), calls(1)]);
  await died;
  const deadMilliseconds = performance.now();
  const ports = Array.from({ length: SHAPE.portCount }, () => client.open(40_000, WAIT));
  for (const port of ports) port.close();
  const freeSeconds = (performance.now() - deadMilliseconds) / 1000;
  sum.freeSecondsMax = Math.max(sum.freeSecondsMax, freeSeconds);
  for (let value = 0; value < 4; value++) await callOnce(client, value, sum);
  file.buryDead();
  if (file.participantCount !== 1) throw new Error("a process counts that has died");
}

/** Waits for the first byte that it prints, or its end. */
async function readyOf({ stdout }: Deno.ChildProcess): Promise<void> {
  const reader = stdout.getReader();
  await reader.read();
  await reader.cancel();
}

async function callOnce(client: Client, value: number, sum: Round["sum"]): Promise<void> {
  let answer = NaN;
  try {
    await client.callAsync(40_000, {
      fill: (packet) => packet.setUint32(0, 0, value),
      use: (packet) => void (answer = packet.getUint32(0, 0)),
    }, WAIT);
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== Status.serverGone) throw error;
    sum.goneCalls++;
    return;
  }
  if (answer !== value + 1) throw new Error(`${value} came back as ${answer}`);
  sum.answered++;
}
