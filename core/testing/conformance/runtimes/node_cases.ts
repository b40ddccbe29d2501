import { Status } from "../../../memory/status.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { startServer } from "../../../worker/start_server.ts";
import { statusOf } from "../../fixtures/status_of.ts";
import type { Case } from "../cases/case.ts";
import { until } from "../test_bed.ts";

const HANGS = 40_100;
const SERVICES = "data:text/javascript," + encodeURIComponent(
  `export const addServices = (server) => server.operate(${HANGS}, () => { for (;;); });`,
);
const WORK = { fill() {}, use() {} };

/** What holds in Node alone, where a thread can be ended from outside. */
export const NODE_CASES: readonly Case[] = [
  {
    name: "The port of a server that hangs is free when its thread was ended",
    run: endHangingServer,
    expected: [Status.serverGone, { hasLeft: true, heldPortCount: 0 }, Status.ok],
  },
];

/** One port: if the ended server kept it, the last call would end with an error or never. */
async function endHangingServer(): Promise<unknown> {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const hanging = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const sent = client.open(HANGS).send(WORK.fill);
  const { words, layout: { serverLockWord } } = channel;
  await until(() => words.load(serverLockWord) !== 0);
  const next = await startServer(channel);
  const report = await hanging.terminate({ timeoutSeconds: 0.1 });
  const lost = statusOf(() => sent.recv(WORK.use));
  sent.close();
  const again = statusOf(() => client.call(0, WORK, { timeoutSeconds: 5 }));
  await next.terminate();
  return [lost, report, again];
}
