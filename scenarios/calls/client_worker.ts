import { Channel, type ChannelHandle, Client, type WaiterName } from "../../core/mod.ts";
import { CrewGate } from "./fork_join.ts";
import { IncrementCaller } from "./increment.ts";
import { type WorkerReply, workerScope } from "../partner/worker_reply.ts";

/** What a member of a crew of clients is told before its first order. */
export interface ClientInit {
  readonly handle: ChannelHandle;
  readonly waiter: WaiterName;
  readonly gateBuffer: SharedArrayBuffer;
  readonly clientIndex: number;
  readonly clientCount: number;
}

const scope = workerScope<ClientInit, WorkerReply<"ready" | "home">>();

scope.onmessage = ({ data }) => {
  const gate = new CrewGate(data.gateBuffer);
  try {
    serveOrders(data, gate);
  } catch (error) {
    gate.reportFailed(error instanceof Error ? error.message : String(error));
  }
  scope.postMessage({ kind: "done", value: "home" });
};

function serveOrders(init: ClientInit, gate: CrewGate): void {
  const client = new Client(Channel.attach(init.handle), { waiter: init.waiter });
  const caller = new IncrementCaller(client);
  scope.postMessage({ kind: "done", value: "ready" });
  for (let callCount = gate.nextOrder(); callCount >= 0; callCount = gate.nextOrder()) {
    caller.call(shareOf(callCount, init));
    gate.reportDone();
  }
}

/** The shares of all clients add up to the call count, and differ by one at most. */
function shareOf(callCount: number, { clientIndex, clientCount }: ClientInit): number {
  return Math.floor((callCount + clientIndex) / clientCount);
}
