import { LIMIT_MILLISECONDS, type StartPeer } from "./behaviour_peers.ts";

/** What users of such packages complain of, as a question; the answer begins with yes or no. */
export interface BehaviourCase {
  readonly question: string;
  run(start: StartPeer): Promise<string>;
}

const CALLS_FLOODED = 10_000;
const REPEATS = 100;
/** A call that has not failed by then does not. */
const PATIENCE_MILLISECONDS = 5000;

function text(error: unknown): string {
  return String((error as Error)?.message ?? error).split("\n")[0]!.slice(0, 90);
}

async function outcome(call: () => unknown): Promise<string> {
  try {
    return `answered ${await call()}`;
  } catch (error) {
    return `failed: ${text(error)}`;
  }
}

async function lateAnswer(start: StartPeer): Promise<string> {
  const peer = await start(true);
  await outcome(() => peer.call("echo", 0)); // some limit their start, too
  const { callLimited } = peer;
  const first = await outcome(() => callLimited?.(-1, LIMIT_MILLISECONDS + 200));
  const answers: unknown[] = [];
  for (let call = 1; call <= 20; call++) {
    answers.push(await outcome(() => peer.call("echoLater", call, 20)));
  }
  const wrong = answers.findIndex((answer, index) => answer !== `answered ${index + 1}`);
  await peer.end?.();
  if (!callLimited) return "there is no such limit";
  if (!first.startsWith("failed")) return `no: the limited call ${first}`;
  return wrong < 0 ? "yes" : `no: call ${wrong + 1} of 20 ${answers[wrong]}`;
}

async function crash(start: StartPeer): Promise<string> {
  const peer = await start();
  await peer.call("echo", 0);
  const begin = performance.now();
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, PATIENCE_MILLISECONDS, "never");
  const said = await outcome(() => Promise.race([peer.call("crash"), late]));
  clearTimeout(timer); // it would keep the program alive
  const isAtOnce = performance.now() - begin < PATIENCE_MILLISECONDS;
  await peer.end?.();
  return said.startsWith("failed") && isAtOnce ? `yes: ${said.slice(8)}` : `no: ${said}`;
}

async function flood(start: StartPeer): Promise<string> {
  const peer = await start();
  const calls = Array.from({ length: CALLS_FLOODED }, (_, index) => peer.call("echo", index));
  const answers = await Promise.all(calls);
  await peer.end?.();
  const wrong = answers.filter((answer, index) => answer !== index).length;
  return wrong === 0 ? "yes" : `no: ${wrong} answers are wrong`;
}

async function timers(start: StartPeer): Promise<string> {
  const peer = await start();
  let own = 0;
  const timer = setInterval(() => own++, 5);
  const before = await peer.call("ticks");
  await peer.call("echo", 0);
  const ownBefore = own;
  await peer.call("echoLater", 1, 200);
  const ownTicks = own - ownBefore;
  const ticks = await peer.call("ticks") - before;
  clearInterval(timer);
  await peer.end?.();
  const caller = ownTicks > 5 ? "the caller's go on, too" : "the caller's stand still";
  return ticks > 5 ? `yes; ${caller}` : `no; ${caller}`;
}

async function repeat(start: StartPeer): Promise<string> {
  for (let time = 0; time < REPEATS; time++) {
    const peer = await start();
    if (!peer.end) return "its worker cannot be ended";
    const said = await outcome(() => peer.call("echo", time));
    if (said !== `answered ${time}`) return `no: start ${time + 1} ${said}`;
    await peer.end();
  }
  return "yes";
}

async function leaks(start: StartPeer): Promise<string> {
  const resident: number[] = [];
  for (let time = 0; time < 60; time++) {
    const peer = await start();
    if (!peer.end) return "its worker cannot be ended";
    await peer.call("echo", time);
    await peer.end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    resident.push(Deno.memoryUsage().rss / 2 ** 20);
  }
  // The first ones fill pools and caches.
  const growth = Math.max(...resident.slice(50)) - Math.max(...resident.slice(20, 30));
  return growth < 15 ? "yes" : `no: ${Math.round(growth)} MB more behind 30 workers`;
}

async function exits(start: StartPeer): Promise<string> {
  const peer = await start();
  await peer.call("echo", 1);
  await peer.end?.();
  return "yes"; // unless the program goes on behind that, which its parent sees
}

/** By name. */
export const CASES = {
  late_answer: {
    question: "Is a late answer, of a call that was given up, kept from the next calls?",
    run: lateAnswer,
  },
  crash: { question: "Does a call fail at once when its worker crashes?", run: crash },
  flood: { question: "Are 10 000 calls at once answered, each with its own?", run: flood },
  timers: { question: "Do the worker's timers go on while the caller waits?", run: timers },
  repeat: { question: "Do 100 starts, calls and ends work?", run: repeat },
  leaks: { question: "Does memory stay as it is while workers come and go?", run: leaks },
  exits: { question: "Does the program end by itself behind its last worker?", run: exits },
} as const satisfies Readonly<Record<string, BehaviourCase>>;

/** The name of a case. */
export type CaseName = keyof typeof CASES;
