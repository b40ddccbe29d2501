/** A client worker of the tests: runs programs on a channel, and says how they went. */
import { Channel } from "../../toggle/channel.ts";
import { type ChannelHandle } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import * as onePage from "../../toggle/one_page.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { answerParent } from "../../worker/worker_scope.ts";
import { clientOfPage } from "../one_page/library_face.ts";

import { type ClientPlace, type ProgramName, PROGRAMS } from "./programs.ts";

/** What a client worker is asked: first to attach, which is answered with its id, then to run. */
export type ClientRequest =
  | {
    readonly kind: "attach";
    readonly handle: ChannelHandle;
    /** `page`: a client of the one page. */
    readonly waiter: WaiterName | "page";
  }
  | { readonly kind: "run"; readonly program: ProgramName; readonly place: ClientPlace };

let client: Client | undefined;
let laneCount = 0;

answerParent<ClientRequest>((request) => {
  if (request.kind === "run") {
    return PROGRAMS[request.program](client!, { ...request.place, laneCount });
  }
  const { handle, waiter } = request;
  const channel = Channel.attach(handle);
  ({ laneCount } = channel.layout);
  client = waiter === "page" ? clientOfPage({ onePage }, channel) : new Client(channel, { waiter });
  return client.id;
});
