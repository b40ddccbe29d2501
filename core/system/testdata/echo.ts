/** A child that prints what it is sent, and rings for each message. */
import { Parent } from "../child.ts";

const parent = new Parent();
for (const { channel, words } of parent.channels) {
  console.log(`${channel.takeOwnerId()}`);
  words.wakeSleepers = () => console.log("rung");
}
await parent.listen((message) => {
  const { text, isLast } = message as { readonly text: string; readonly isLast: boolean };
  parent.ring();
  console.error(text);
  if (isLast) Deno.kill(Deno.pid, "SIGABRT");
});
