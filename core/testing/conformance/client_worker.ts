/** A client worker of the tests: runs one program on a channel, and says how it went. */
import { failureReport } from "../../worker/boot.ts";
import { Channel, type ChannelHandle } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { type ProgramName, PROGRAMS } from "./programs.ts";

/** What a client worker is started with. */
export interface ClientBoot {
  readonly handle: ChannelHandle;
  readonly program: ProgramName;
  readonly waiter: WaiterName;
  /** Which of the clients this is, and how many there are. */
  readonly clientIndex: number;
  readonly clientCount: number;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<ClientBoot>) => void;
  postMessage(reply: unknown): void;
};

scope.onmessage = ({ data }) => {
  try {
    const client = new Client(Channel.attach(data.handle), { waiter: data.waiter });
    scope.postMessage({ kind: "ready", clientId: client.id });
    const result = PROGRAMS[data.program](client, data);
    scope.postMessage({ kind: "done", result });
  } catch (thrown) {
    scope.postMessage({ kind: "failed", ...failureReport(thrown) });
  }
};
