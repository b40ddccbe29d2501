/** A server of the one page, with the services of the conformance suite. */
import { Channel } from "../../toggle/channel.ts";
import type { ChannelHandle } from "../../toggle/channel_handle.ts";
import * as onePage from "../../toggle/one_page.ts";
import { answerParent } from "../../worker/worker_scope.ts";
import { addServices } from "../conformance/services.ts";
import { serverOfPage } from "./library_face.ts";

answerParent<ChannelHandle>((handle) => {
  const server = serverOfPage({ onePage }, Channel.attach(handle));
  addServices(server);
  server.run();
  return 0;
});
