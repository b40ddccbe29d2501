import { assertRejects } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { postMessage, prepareWork } from "./post_message.ts";

Deno.test("postMessage answers every message", async () => {
  await using partner = new Partner();
  await using trial = await postMessage.setup({}, partner);
  for (const callCount of [1, 20, 3]) await trial.run(callCount);
});

Deno.test("postMessage refuses a wrong answer", async () => {
  const partner = {
    assign({ transfer }: { transfer: readonly MessagePort[] }) {
      prepareWork(transfer[0]!);
      const [port] = transfer;
      port!.onmessage = () => port!.postMessage("wrong");
      return Promise.resolve();
    },
  };
  await using trial = await postMessage.setup({}, partner as unknown as Partner);
  await assertRejects(() => Promise.resolve(trial.run(2)), Error, "answer to 0 was wrong");
});
