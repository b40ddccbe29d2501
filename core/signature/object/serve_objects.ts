import type { ValueCodec } from "../../call/codec.ts";
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
import { objectCodec } from "./object_codec.ts";
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
 * them. `connectObject` is the other side. Arguments and results cross by value, as `structuredClone`
 * has them; by JSON in pages, where what JSON would change is refused. A method of the
 * object or of its class can be called unless its name begins with `_`; those of `Object` cannot.
 *
 * Arguments come from the other side and may be anything that the codec brings: check them.
 *
 * @throws {TypeError} when one is no object
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
  const { limitBytes = OBJECT_LIMIT_BYTES } = options;
  checkLimit(limitBytes);
  const table = FunctionTable.of(server);
  const targets = Object.entries(objects).map(([name, object]) => {
    const codec = objectCodec(name, options.codec);
    const methods = new ObjectMethods(name, methodsOf(checkedObject(name, object)));
    return { target: objectFunction(name, codec), methods, codec };
  });
  const names = targets.map(({ target }) => target.name);
  table.checkFree(names);
  for (const { target, methods, codec } of targets) {
    const service = serviceOf(target, methods, { ...options, codec });
    table.add(target, { lanes: service, message: service });
  }
  return new ServedApi(table, names);
}

/** Of a number or a text nothing could be called. */
function checkedObject(name: string, object: unknown): object {
  if (Object(object) === object) return object as object;
  throw new TypeError(`Cannot serve ${name} as it must be an object: current value is ${object}`);
}

/** Serves a message that is the object's hash, a method's name and its arguments. */
function serviceOf(
  target: ApiFunction,
  methods: ObjectMethods,
  options: ServeObjectsOptions & { readonly codec: ValueCodec },
): Service {
  const { limitBytes = OBJECT_LIMIT_BYTES, timeoutSeconds = HANDLER_TIMEOUT_SECONDS } = options;
  const { codec } = options;
  const answer = (bytes: Uint8Array) => {
    const values = codec.decode(bytes);
    const [hash, ...request] = Array.isArray(values) ? values as unknown[] : [];
    checkHash(target, hash);
    const result = methods.call(request);
    if (!options.isAsync) refusePromise(result, "a method of serveObjects without isAsync");
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
