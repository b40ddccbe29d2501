// Run as a program: starts a server that does not keep it alive, calls it and forgets it.
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { startServer } from "../../../worker/start_server.ts";

const channel = Channel.create({ portCount: 1, laneCount: 1 });
await startServer(channel, { keepsAlive: false });
new Client(channel).call(0, { fill: () => {}, use: () => {} });
console.log("called");
