/**
 * A server in a worker. Its parent is `startServer`, which speaks the messages of `boot.ts`.
 *
 * @module
 */
import { failureReport, type ServerBoot, type ServerReply, type ServerRequest } from "./boot.ts";
import { Channel } from "../toggle/channel.ts";
import type { ServerFault } from "../toggle/server/dispatch.ts";
import { Server } from "../toggle/server/server.ts";

/** The worker's end of its message port; the DOM's types do not know it in this setting. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ServerRequest>) => void) | null;
  postMessage(reply: ServerReply): void;
  close(): void;
}

const scope = self as unknown as WorkerScope;
const registrations: Promise<void>[] = [];
let server: Server | undefined;

scope.onmessage = ({ data }) => {
  if (data.kind === "boot") run(data).catch(fail);
  else registrations.push(register(data.requestId, data.serviceUrl));
};

async function run(boot: ServerBoot): Promise<void> {
  const channel = Channel.attach(boot.handle);
  const started = new Server(channel, { waiter: boot.waiter, onFault: reportFault });
  for (const url of boot.serviceUrls) await load(started, url);
  server = started;
  started.announce();
  scope.postMessage({ kind: "ready", serverId: started.id });
  while (started.serve()) await messages();
  scope.postMessage({ kind: "done" });
  scope.close();
}

/** Lets the messages in that raised our attention, and finishes what they ask for. */
async function messages(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await Promise.all(registrations.splice(0));
}

async function register(requestId: number, serviceUrl: string): Promise<void> {
  try {
    await load(server!, serviceUrl);
    scope.postMessage({ kind: "registered", requestId });
  } catch (thrown) {
    scope.postMessage({ kind: "registered", requestId, failure: failureReport(thrown) });
  }
}

async function load(target: Server, serviceUrl: string): Promise<void> {
  const services = await import(serviceUrl);
  if (typeof services.register !== "function") {
    throw new TypeError(
      `Cannot register the services of ${serviceUrl} as the module must export register(server): its exports are ${
        Object.keys(services).join(", ") || "none"
      }`,
    );
  }
  await services.register(target);
}

function reportFault({ cause, ...fault }: ServerFault): void {
  const message = cause === undefined ? "" : failureReport(cause).message;
  scope.postMessage({ kind: "fault", fault: { ...fault, message } });
}

function fail(thrown: unknown): void {
  scope.postMessage({ kind: "failed", ...failureReport(thrown) });
  scope.close();
}
