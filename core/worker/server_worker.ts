/**
 * A server in a worker. Its parent is `startServer`, which asks what stands in `server_messages.ts`.
 *
 * @module
 */
import { errorReport } from "../call/error_report.ts";
import { Channel } from "../toggle/channel.ts";
import type { FaultReport } from "../toggle/server/dispatch.ts";
import { Server } from "../toggle/server/server.ts";
import type { ServerNote, ServerRequest, ServerStart } from "./server_messages.ts";
import { answerParent } from "./worker_scope.ts";

const parent = answerParent<ServerRequest, ServerNote>(answer);
const started = Promise.withResolvers<Server>();
const registrations: Promise<void>[] = [];

function answer(request: ServerRequest): Promise<unknown> {
  if (request.kind === "start") return start(request);
  if (request.kind === "serve") return serve();
  const registration = started.promise.then((server) => load(server, request.serviceUrl));
  registrations.push(registration.catch(() => {}));
  return registration;
}

async function start({ handle, server: options, serviceUrls }: ServerStart): Promise<number> {
  const channel = Channel.attach(handle);
  if (handle.preparedBy) (await import(handle.preparedBy)).prepareWords(channel.words);
  const server = new Server(channel, { ...options, onFault: report });
  for (const url of serviceUrls) await load(server, url);
  started.resolve(server);
  return server.id;
}

async function serve(): Promise<void> {
  const server = await started.promise;
  server.announce({ isCounted: true });
  do await messages(); while (await (server.hasAsync ? server.runAsyncOnce() : server.run()));
}

/**
 * Lets what was answered out, and the messages in that raised our attention, and finishes what they
 * ask for: while a server without asynchronous services serves, the event loop stands still.
 */
async function messages(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await Promise.all(registrations.splice(0));
}

async function load(server: Server, serviceUrl: string): Promise<void> {
  const services = await import(serviceUrl);
  if (typeof services.addServices !== "function") {
    throw new TypeError(
      `Cannot register the services of ${serviceUrl} as the module must export addServices(server): its exports are ${
        Object.keys(services).join(", ") || "none"
      }`,
    );
  }
  await services.addServices(server);
}

function report({ cause, ...fault }: FaultReport): void {
  parent.note(cause === undefined ? fault : { ...fault, cause: errorReport(cause) });
}
