/** A client worker of the tests: runs programs on a channel, and says how they went. */
import { Channel } from "../../toggle/channel.ts";
import { type ChannelHandle } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { answerParent } from "../../worker/worker_scope.ts";
import type { ClientPlace } from "./grid_programs.ts";
import { type ProgramName, PROGRAMS } from "./programs.ts";

/** What a client worker is asked: first to attach, which is answered with its id, then to run. */
export type ClientRequest =
  | { readonly kind: "attach"; readonly handle: ChannelHandle; readonly waiter: WaiterName }
  | { readonly kind: "run"; readonly program: ProgramName; readonly place: ClientPlace };

let client: Client | undefined;

answerParent<ClientRequest>((request) => {
  if (request.kind === "run") return PROGRAMS[request.program](client!, request.place);
  client = new Client(Channel.attach(request.handle), { waiter: request.waiter });
  return client.id;
});
