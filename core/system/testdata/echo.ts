/** A child that prints what it is sent. */
import { Parent } from "../child.ts";
import { MappedChannel } from "../mapped_channel.ts";

const parent = new Parent();
await parent.listen({
  onMessage(message) {
    const { path, shape, text, isLast } = message as {
      readonly path?: string;
      readonly shape: { readonly portCount: number; readonly laneCount: number };
      readonly text: string;
      readonly isLast: boolean;
    };
    if (path) {
      using mapped = MappedChannel.open(path, shape);
      console.log(`${mapped.channel.takeOwnerId()}`);
    }
    console.error(text);
    if (isLast) Deno.kill(Deno.pid, "SIGABRT");
  },
  onRing() {
    console.log("rung");
    parent.ring();
  },
});
