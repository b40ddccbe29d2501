import { jsonCodec } from "../../call/codec.ts";
import { checkLimit } from "../../call/limit.ts";
import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { refusePromise } from "../../memory/sync_result.ts";
import type { Server } from "../../toggle/server/server.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../toggle/server/service_registry.ts";
import type { Service } from "../../toggle/server/service_table.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { ServedApi } from "../server/api_server.ts";
import { FunctionTable } from "../server/function_table.ts";
import { checkHash } from "../wire/request_decoder.ts";
import { methodsOf, ObjectMethods } from "./object_methods.ts";
import { OBJECT_LIMIT_BYTES, type ObjectCallOptions, objectFunction } from "./object_function.ts";

/** How objects are served. */
export interface ServeObjectsOptions extends ObjectCallOptions {
  /** Whether methods may return promises; then the server runs on an event loop (`serveAsync`). */
  readonly isAsync?: boolean;
  /** How long such a method may take, in seconds; 30 when absent. */
  readonly timeoutSeconds?: number;
}

/**
 * Serves the methods of objects under the objects' names: ordinary functions of values, as Comlink has
 * them. `connectObject` is the other side. Arguments and results cross by value. A method of the
 * object or of its class can be called unless its name begins with `_`; those of `Object` cannot.
 *
 * Arguments come from the other side and may be anything that the codec brings: check them.
 *
 * @throws {RangeError} when the server has an object of that name, or the limit is no number
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Client } from "../../toggle/client/client.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { connectObject } from "./connect_object.ts";
 * import { serveObjects } from "./serve_objects.ts";
 *
 * const words = { count: (text: string) => text.split(" ").length };
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const server = new Server(channel); // usually in another worker, see startServer()
 * serveObjects(server, { words });
 * const served = server.serveAsync();
 *
 * const remote = connectObject<typeof words>(new Client(channel), "words");
 * const count = await remote.count.async("three short words"); // remote.count(...) in a worker
 * if (count !== 3) throw new Error("three");
 * channel.shutDown();
 * await served;
 * ```
 */
export function serveObjects(
  server: Server,
  objects: Readonly<Record<string, object>>,
  options: ServeObjectsOptions = {},
): ServedApi {
  const { codec = jsonCodec, limitBytes = OBJECT_LIMIT_BYTES } = options;
  checkLimit(limitBytes);
  const table = FunctionTable.of(server);
  const targets = Object.entries(objects).map(([name, object]) => ({
    target: objectFunction(name, codec),
    methods: new ObjectMethods(name, methodsOf(object)),
  }));
  const names = targets.map(({ target }) => target.name);
  table.checkFree(names);
  for (const { target, methods } of targets) {
    const service = serviceOf(target, methods, options);
    table.add(target, { lanes: service, message: service });
  }
  return new ServedApi(table, names);
}

/** Serves a message that is the object's hash, a method's name and its arguments. */
function serviceOf(
  target: ApiFunction,
  methods: ObjectMethods,
  options: ServeObjectsOptions,
): Service {
  const { limitBytes = OBJECT_LIMIT_BYTES, timeoutSeconds = HANDLER_TIMEOUT_SECONDS } = options;
  const { codec = jsonCodec } = options;
  const answer = (bytes: Uint8Array) => {
    const values = codec.decode(bytes);
    const [hash, ...request] = Array.isArray(values) ? values as unknown[] : [];
    checkHash(target, hash);
    const result = methods.call(request);
    if (!options.isAsync) refusePromise(result, "a method");
    return result;
  };
  const asynchronous: Service["asynchronous"] = {
    async handler(port) {
      const request = await recvMessageAsync(port, { limitBytes });
      await sendMessageAsync(port, codec.encode(await answer(request)));
    },
    timeoutSeconds,
  };
  if (options.isAsync) return { asynchronous };
  return {
    asynchronous,
    handler: (port) => sendMessage(port, codec.encode(answer(recvMessage(port, { limitBytes })))),
  };
}
