/** Runs hostile guests, one after the other, so that a test sees from outside what they do to the program. */
import { fn, handle, hostApi, i32, nothing, string } from "../../../signature/mod.ts";
import { allow } from "../policy.ts";
import { startSandbox } from "../sandbox.ts";
import { guestUrl } from "./guest_url.ts";
import { isolation } from "./names_options.ts";
import { hostileGuests } from "./hostile_guests.ts";

const names = hostApi("names", {
  of: fn([string], string),
  look: fn([handle("Box")], i32),
  fail: fn([], nothing),
});

/** How a script ended, as its caller hears it. */
async function outcome(script: string, lines: string[]): Promise<string> {
  try {
    await using sandbox = await startSandbox(guestUrl(script), {
      serve: (server) =>
        void server.serve(names, {
          of: (name: string) => name,
          look: () => 0,
          fail: () => void Deno.readTextFileSync("/none/of/the/guests/business"),
        }),
      policy: [allow("names.*")],
      audit: (line) => void lines.push(line),
      isolation,
      limits: { timeoutSeconds: 120 },
    });
    return JSON.stringify(await sandbox.call("run")) ?? "";
  } catch (error) {
    return String(error);
  }
}

/** Sends messages to a worker that takes none any more. */
async function shoutAtDeafWorker(): Promise<void> {
  const worker = new Worker(new URL("./deaf_worker.ts", import.meta.url), { type: "module" });
  await new Promise((resolve) => worker.onmessage = resolve);
  for (let count = 0; count < 5; count++) worker.postMessage(count);
  await new Promise((resolve) => setTimeout(resolve, 300));
  worker.terminate();
}

const [report, seed, count] = Deno.args;
const found: Record<string, unknown> = {};
for (const [name, script] of Object.entries(hostileGuests(Number(seed), Number(count)))) {
  const lines: string[] = [];
  const answer = await outcome(script, lines);
  const printed = lines.filter((line) => line.includes('"sandbox.print"')).length;
  const isClean = lines.every((line) => /^[\x20-\x7e]+\n$/.test(line));
  found[name] = { answer, printed, isClean };
}
await shoutAtDeafWorker();
Deno.writeTextFileSync(report!, JSON.stringify(found));
