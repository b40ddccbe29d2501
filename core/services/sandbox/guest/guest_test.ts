import { assertEquals } from "@std/assert";
import { jsonCodec } from "../../../call/codec.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Server } from "../../../toggle/server/server.ts";
import { ApiServer } from "../../../signature/mod.ts";
import { guestApi } from "./guest_api.ts";

Deno.test("a guest that is refused says why, and answers that it exports nothing", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  const told: unknown[] = [];
  new ApiServer(server).serve(guestApi, {
    ready: (problem, missing) => void told.push(problem, missing),
    answer: (id, isError, bytes) => void told.push(id, isError, jsonCodec.decode(bytes)),
    print: () => {},
    left: () => void told.push("left"),
  });
  // A guest's calls block, so it has a thread.
  const worker = new Worker(
    `data:text/javascript,${
      encodeURIComponent(`
      import { Channel } from "${import.meta.resolve("../../../toggle/channel.ts")}";
      import { Guest } from "${import.meta.resolve("./guest.ts")}";
      onmessage = ({ data }) => {
        const guest = new Guest(Channel.attach(data));
        guest.refuse(new RangeError("no\\0 wall"));
        void guest.answer({ kind: "call", id: 3, name: "run", values: [] });
        guest.leave();
      };`)
    }`,
    { type: "module" },
  );
  worker.postMessage(channel.handle);
  const served = server.runAsync();
  while (told.at(-1) !== "left") await new Promise((resolve) => setTimeout(resolve, 5));
  const error = "TypeError: it exports no function run";
  assertEquals(told, ["RangeError: no wall", "", 3, true, error, "left"]);
  worker.terminate();
  channel.shutDown();
  await served;
});
