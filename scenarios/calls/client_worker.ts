import { Channel, type ChannelHandle, Client, type WaiterName } from "../../core/mod.ts";
import { ForkJoin } from "./fork_join.ts";
import { IncrementCaller } from "./increment.ts";
import { type WorkerReply, workerScope } from "../partner/worker_reply.ts";

/** What a client of a pool is told before its first call. */
export interface ClientInit {
  readonly handle: ChannelHandle;
  readonly waiter: WaiterName;
  readonly forkBuffer: SharedArrayBuffer;
  readonly clientIndex: number;
  readonly clientCount: number;
}

const scope = workerScope<ClientInit, WorkerReply<"ready" | "ended">>();

scope.onmessage = ({ data }) => {
  const forkJoin = new ForkJoin(data.forkBuffer);
  try {
    makeCalls(data, forkJoin);
  } catch (error) {
    forkJoin.reportFailed(error instanceof Error ? error.message : String(error));
  }
  scope.postMessage({ kind: "done", value: "ended" });
};

function makeCalls(init: ClientInit, forkJoin: ForkJoin): void {
  const client = new Client(Channel.attach(init.handle), { waiter: init.waiter });
  const caller = new IncrementCaller(client);
  scope.postMessage({ kind: "done", value: "ready" });
  for (let callCount = forkJoin.awaitFork(); callCount >= 0; callCount = forkJoin.awaitFork()) {
    caller.call(shareOf(callCount, init));
    forkJoin.reportDone();
  }
}

/** The shares of all clients add up to the call count, and differ by one at most. */
function shareOf(callCount: number, { clientIndex, clientCount }: ClientInit): number {
  return Math.floor((callCount + clientIndex) / clientCount);
}
