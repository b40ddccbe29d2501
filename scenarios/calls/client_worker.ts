import { Channel, type ChannelHandle, Client, type WaiterName } from "../../core/mod.ts";
import { answerParent } from "../../core/worker/worker_scope.ts";
import { ForkJoin } from "./fork_join.ts";
import { IncrementCaller } from "./increment.ts";

/** What a client of a pool is asked: to start, and then to work until the pool ends. */
export type ClientRequest = ClientStart | { readonly kind: "work" };

/** What a client of a pool is told before its first call. */
export interface ClientStart {
  readonly kind: "start";
  readonly handle: ChannelHandle;
  readonly waiter: WaiterName;
  readonly forkBuffer: SharedArrayBuffer;
  readonly clientIndex: number;
  readonly clientCount: number;
}

let work: (() => void) | undefined;

answerParent<ClientRequest>((request) => {
  if (request.kind === "start") work = prepare(request);
  else work!();
});

function prepare(start: ClientStart): () => void {
  const client = new Client(Channel.attach(start.handle), { waiter: start.waiter });
  const caller = new IncrementCaller(client);
  const forkJoin = new ForkJoin(start.forkBuffer);
  return () => {
    try {
      makeCalls(start, { caller, forkJoin });
    } catch (error) {
      forkJoin.reportFailed(error instanceof Error ? error.message : String(error));
    }
  };
}

function makeCalls(
  start: ClientStart,
  { caller, forkJoin }: { readonly caller: IncrementCaller; readonly forkJoin: ForkJoin },
): void {
  for (let callCount = forkJoin.awaitFork(); callCount >= 0; callCount = forkJoin.awaitFork()) {
    caller.call(shareOf(callCount, start));
    forkJoin.reportDone();
  }
}

/** The shares of all clients add up to the call count, and differ by one at most. */
function shareOf(callCount: number, { clientIndex, clientCount }: ClientStart): number {
  return Math.floor((callCount + clientIndex) / clientCount);
}
