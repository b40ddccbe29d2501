/**
 * The process of a library. Its parent is a `LibraryProcess`.
 *
 * @module
 */
import { cloneCodec } from "../../call/codec.ts";
import { innerKind } from "../../signature/declare/kind.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import { unpackApi } from "../../signature/declare/packed_api.ts";
import type {
  ApiFunction,
  Callback,
  CallbackParameter,
  Parameter,
} from "../../signature/declaration_types.ts";
import * as s from "../../signature/mod.ts";
import { Parent } from "../../system/child.ts";
import { endWithParent } from "../../system/wall.ts";
import type { MappedChannel } from "../../system/mapped_channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { FencePool } from "./fenced_memory.ts";
import { ForeignLibrary, type LibraryFiles } from "./foreign_library.ts";
import {
  CALLBACK_ANSWER_BYTES,
  callbackApi,
  crossBack,
  crossResult,
  crossValues,
  libraryApi,
  type LibraryRequest,
  RUNG_NAPS,
  wireApi,
} from "./library_wire.ts";

/** How much of what calls sent nobody can use before later ones do: 256 short texts. */
const HIDDEN_BYTES_MAX = 1 << 22;

const parent = new Parent();
endWithParent(parent.pid);
const [{ channel, words }, callbacks] = parent.channels as [MappedChannel, MappedChannel];
const server = new Server(channel);
const apiServer = new s.ApiServer(server, { timeoutSeconds: Infinity });
const back = s.connectApi(new Client(callbacks.channel), callbackApi);

apiServer.serve(libraryApi, {
  open(bytes) {
    const { api, files, limitBytes } = cloneCodec.decode(bytes) as LibraryRequest;
    try {
      serve(unpackApi(api), files, limitBytes);
      words.naps = RUNG_NAPS; // from now on the host tells of each call
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  },
});

function serve(api: s.HostApi, files: LibraryFiles, limitBytes: number): void {
  // What a library kept of a call and uses later ends this process, and not with a wrong answer.
  const library = new ForeignLibrary(
    api,
    files,
    new FencePool({ hiddenBytesMax: HIDDEN_BYTES_MAX }),
  );
  const targets = new Map(functionsOf(api));
  const crossing = { address: (value: unknown) => value === 0n ? null : value, callback };
  const functions = Object.fromEntries(
    [...targets].map(([key, target]) => {
      const call = library.calls[key]!;
      return [key, (...given: unknown[]) => {
        const values = crossValues(target, given, crossing);
        const answer = call(values);
        return answer instanceof Promise
          ? answer.then((result) => answered(target, { given, values, result }))
          : answered(target, { given, values, result: answer });
      }];
    }),
  );
  // Functions that wait end in any order.
  const withLimit = new s.ApiServer(server, { limitBytes, timeoutSeconds: Infinity });
  withLimit.serveAsync(wireApi(api), functions as never);
}

interface Answered {
  readonly given: readonly unknown[];
  readonly values: readonly unknown[];
  readonly result: unknown;
}

function answered(target: ApiFunction, { given, values, result }: Answered): unknown {
  const address = (value: unknown) => value ?? 0n;
  crossBack(target, { from: values, to: given }, address);
  return crossResult(target, result, address);
}

/** The functions that stand for callbacks of the host, one for each number: a library may keep the pointer. */
const known = new Map<unknown, (...values: unknown[]) => unknown>();

function callback(id: unknown, parameter: Parameter): unknown {
  if (id === 0 && parameter.kind === "nullable") return null;
  const kind = innerKind(parameter) as Callback;
  const work = known.get(id) ?? ((...values: unknown[]) => {
    const answer = new Uint8Array(CALLBACK_ANSWER_BYTES);
    const sent = values.map((value, index) => value ?? absentOf(kind.parameters[index]!));
    const bytes = back.call(id as number, cloneCodec.encode(sent), answer);
    const { error, value } = cloneCodec.decode(answer.subarray(0, bytes)) as {
      readonly error?: string;
      readonly value?: unknown;
    };
    if (error !== undefined) throw new Error(error);
    return value === 0n && innerKind(kind.result).kind === "handle" ? null : value;
  });
  known.set(id, work);
  return work;
}

/** What crosses where C gave null: an address of 0, or no text. */
function absentOf(kind: CallbackParameter): bigint | null {
  return innerKind(kind).kind === "handle" ? 0n : null;
}

void server.runAsync();
await parent.listen(() => {});
Deno.exit(0);
