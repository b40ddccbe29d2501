import { connect } from "../../../core/connect/mod.ts";
import type { callFunction, FunctionName, functions } from "./functions.ts";

/** A connection to the functions of the cases. */
export interface BehaviourPeer {
  /** As the package is called; a promise where it has nothing that blocks. */
  call(name: FunctionName, ...values: number[]): number | Promise<number>;
  /** A call of `echoLater` that is given up after some time; absent where the package knows no such thing. */
  callLimited?(value: number, milliseconds: number): number | Promise<number>;
  /** Ends the worker; absent where that is impossible. */
  end?(): unknown;
}

/** How long a call may take that has a limit. */
export const LIMIT_MILLISECONDS = 500;

/** @param isLimited whether calls need the limit, for packages that have one for all calls or none */
export type StartPeer = (isLimited?: boolean) => Promise<BehaviourPeer>;

function here(name: string): URL {
  return new URL(name, import.meta.url);
}

async function startPortlab(): Promise<BehaviourPeer> {
  const remote = await connect<typeof functions>(here("./portlab_worker.ts"));
  const limited = remote.echoLater.with({ timeoutSeconds: LIMIT_MILLISECONDS / 1000 });
  return {
    call: (name, ...values) => (remote[name] as (...values: number[]) => number)(...values),
    callLimited: limited,
    end: () => remote[Symbol.asyncDispose](),
  };
}

async function startPortlabAsync(): Promise<BehaviourPeer> {
  const remote = await connect<typeof functions>(here("./portlab_worker.ts"));
  const limited = remote.echoLater.with({ timeoutSeconds: LIMIT_MILLISECONDS / 1000 });
  type Method = { async(...values: number[]): Promise<number> };
  return {
    call: (name, ...values) => (remote[name] as unknown as Method).async(...values),
    callLimited: (value, milliseconds) => limited.async(value, milliseconds),
    end: () => remote[Symbol.asyncDispose](),
  };
}

/** Else Deno ends the program with the worker. */
function letPass(event: ErrorEvent): void {
  event.preventDefault();
}

async function startComlink(): Promise<BehaviourPeer> {
  const { wrap } = await import("comlink");
  const worker = new Worker(here("./comlink_worker.ts"), { type: "module" });
  worker.onerror = letPass;
  const remote = wrap<typeof functions>(worker);
  return {
    call: (name, ...values) =>
      (remote[name] as (...values: number[]) => Promise<number>)(...values),
    end: () => worker.terminate(),
  };
}

async function startSynckit(isLimited = false): Promise<BehaviourPeer> {
  const { createSyncFn } = await import("synckit");
  const options = isLimited ? { timeout: LIMIT_MILLISECONDS } : {};
  const call = createSyncFn<typeof callFunction>(here("./synckit_worker.ts"), options);
  return {
    call: (name, ...values) => call(name, ...values),
    callLimited: (...values) => call("echoLater", ...values),
  };
}

async function startPiscina(): Promise<BehaviourPeer> {
  const { Piscina } = await import("piscina");
  const filename = here("./piscina_worker.ts").href;
  const pool = new Piscina({ filename, name: "run", minThreads: 1, maxThreads: 1 });
  return {
    call: (...request) => pool.run(request),
    callLimited: (...values) =>
      pool.run(["echoLater", ...values], { signal: AbortSignal.timeout(LIMIT_MILLISECONDS) }),
    end: () => pool.destroy(),
  };
}

async function startCoincident(): Promise<BehaviourPeer> {
  const { default: coincident } = await import("coincident/main");
  const { Worker } = coincident();
  const worker = new Worker(here("./coincident_worker.ts"));
  worker.onerror = letPass;
  await new Promise<void>((resolve) => worker.proxy.ready = resolve);
  return {
    call: (name, ...values) => worker.proxy.callFunction(name, ...values),
    end: () => worker.terminate(),
  };
}

/** Each as its documentation has it. */
export const BEHAVIOUR_PEERS = {
  portlab: startPortlab,
  portlab_async: startPortlabAsync,
  comlink: startComlink,
  synckit: startSynckit,
  piscina: startPiscina,
  coincident: startCoincident,
} as const satisfies Readonly<Record<string, StartPeer>>;

/** The name of one. */
export type BehaviourPeerName = keyof typeof BEHAVIOUR_PEERS;
