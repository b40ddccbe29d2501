/** What `connect` does in every runtime, as data. */
import { transfer } from "../carrier.ts";
import { WorkerEndedError } from "../answer.ts";
import { connect } from "../connect.ts";
import type { Functions } from "./math_worker.ts";

async function told(call: () => unknown): Promise<string> {
  try {
    return `returned ${await call()}`;
  } catch (error) {
    const ended = error instanceof WorkerEndedError ? " (ended)" : "";
    return `${(error as Error).name}: ${(error as Error).message}${ended}`;
  }
}

function makeValue() {
  const bytes = Uint8Array.from({ length: 2_000_000 }, (_, index) => index * 7);
  return {
    bytes,
    map: new Map<unknown, unknown>([[1n, new Set([NaN])]]),
    text: "ä".repeat(300_000),
  };
}

function isSame(value: ReturnType<typeof makeValue>, other: ReturnType<typeof makeValue>): boolean {
  return value.bytes.every((byte, index) => byte === other.bytes[index]) &&
    value.text === other.text && (other.map.get(1n) as Set<number>).has(NaN);
}

/** Runs all of it; the same is returned where this thread may block. */
export async function runSuite(): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL("./math_worker.ts", import.meta.url);
  const value = makeValue();
  const reports: Record<string, unknown> = {};
  {
    await using math = await connect<Functions>(url, { timeoutSeconds: 60 });
    reports.blocking = await told(() => math.add(2, 3));
    reports.async = await math.add.async(2, 3);
    reports.large = isSame(value, await math.echo.async(value) as typeof value);
    reports.largeBlocking = await told(() => isSame(value, math.echo(value) as typeof value));
    const hostile = await math.echo.async(JSON.parse('{"__proto__": {"evil": 1}}')) as object;
    reports.prototype = Object.hasOwn(hostile, "__proto__");
    reports.error = await told(() => math.fail.async("no"));
    reports.timeout = await told(() =>
      math.echoLater.with({ timeoutSeconds: 0.01 }).async(1, 5000)
    );
    reports.callback = await math.countLater.async(3, (value) => `${value}!`);
    reports.blockingCallback = await told(() => math.countTo(3, (value) => value * 2));
    const members: number[] = [];
    for await (const member of await math.countSlowly.async(3)) members.push(member);
    reports.iterated = members.join();
    const moved = new Uint8Array(100_000).fill(3);
    const back = await math.echo.async(transfer(moved, [moved.buffer])) as Uint8Array;
    reports.moved = [moved.length, back.length, back[99_999]].join();
    reports.movedBack = (await math.makeBytes.async(3)).join();
    const shared = new Int32Array(new SharedArrayBuffer(8));
    reports.shared = [await math.addOne.async(shared), shared[0]].join();
    reports.blockingMoved = await told(() => math.makeBytes(3));
    const { port1, port2 } = new MessageChannel();
    reports.port = await told(() => math.double.async(port2));
    await math.double.async(transfer(port2, [port2]));
    reports.doubled = await new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      port1.postMessage(21);
    });
    port1.close();
    const calls = Array.from({ length: 2000 }, (_, index) => math.add.async(index, 1));
    reports.flood = (await Promise.all(calls)).every((sum, index) => sum === index + 1);
    reports.end = await told(() =>
      "process" in globalThis ? math.exit.async() : math.leave.async()
    );
    reports.late = await told(() => math.add.async(1, 2));
  }
  using pool = await connect<Functions>(url, { workers: 2 });
  reports.pool = (await Promise.all([pool.add.async(1, 2), pool.add.async(3, 4)])).join();
  return reports;
}
