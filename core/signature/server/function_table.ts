import { jsonCodec } from "../../call/codec.ts";
import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { FUNCTION_OPCODE_FIRST, Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import type { Server } from "../../toggle/server/server.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import { checkOwnServer, serveReserved } from "../../toggle/server/service_registry.ts";
import type { Service } from "../../toggle/server/service_table.ts";
import { fnv1a } from "../declare/fnv1a.ts";
import type { ApiFunction } from "../declare/signature.ts";
import { meetingService } from "./meeting_service.ts";
import { nameHint } from "../../text/nearest.ts";

/** Opcodes of a function: one for packets or streams of lanes, one for messages. */
const OPCODES_EACH = 2;
const PLACES = (USER_OPCODE_FIRST - FUNCTION_OPCODE_FIRST) / OPCODES_EACH;
/** The numbers whose high byte is one of these stand for opcodes of LLVM: see `opcodeFromLlvm`. */
const LLVM_LETTERS: readonly number[] = [0x63, 0x6f];
const FUNCTIONS_MAX = PLACES - LLVM_LETTERS.length * 0x100 / OPCODES_EACH;
/** A name and a signature; longer ones are refused. */
const QUESTION = { limitBytes: 1 << 14 };

export interface FunctionServices {
  readonly lanes: Service;
  readonly message: Service;
}

/** A function that a server has. */
interface Entry {
  readonly opcode: number;
  readonly target: ApiFunction;
  readonly services: FunctionServices;
}

/**
 * The opcode at which a function is looked for first. The same everywhere, so that servers which
 * share a channel agree whatever they have loaded before. Where two names meet, the later one gets the
 * next free opcode, too, for callers who ask; packets of either are served at the first. A call that
 * goes astray is refused by the hash of its signature.
 */
export function functionOpcode(name: string): number {
  return opcodeAt(fnv1a(name) % PLACES);
}

function opcodeAt(place: number): number {
  const opcode = FUNCTION_OPCODE_FIRST + (place % PLACES) * OPCODES_EACH;
  return LLVM_LETTERS.includes(opcode >>> 8) ? opcode - 0x100 : opcode;
}

/** The functions that a server has by name. */
export class FunctionTable {
  static readonly #tables = new WeakMap<Server, FunctionTable>();
  readonly #server: Server;
  readonly #byName = new Map<string, Entry>();

  private constructor(server: Server) {
    this.#server = server;
    server[serveReserved](Opcode.findFunction, {
      handler: (port) => sendMessage(port, this.#answer(recvMessage(port, QUESTION))),
      asynchronous: {
        handler: async (port) =>
          await sendMessageAsync(port, this.#answer(await recvMessageAsync(port, QUESTION))),
        timeoutSeconds: HANDLER_TIMEOUT_SECONDS,
      },
    });
  }

  /** The table of a server, which begins to answer questions for names. */
  static of(server: Server): FunctionTable {
    checkOwnServer(server);
    const table = this.#tables.get(server) ?? new FunctionTable(server);
    this.#tables.set(server, table);
    return table;
  }

  /** Checks that the server has none of these names yet, and opcodes for all; throws as {@linkcode add}. */
  checkFree(names: readonly string[]): void {
    const taken = names.find((name) => this.#byName.has(name));
    if (taken !== undefined) {
      throw new RangeError(`Cannot serve ${taken} as this server has a function of that name`);
    }
    if (this.#byName.size + names.length <= FUNCTIONS_MAX) return;
    throw new RangeError(
      `Cannot serve ${names[0]} as a server has ${FUNCTIONS_MAX} functions at most`,
    );
  }

  /**
   * Serves a function under its name. Clients may be running.
   *
   * @returns the opcode that it got
   * @throws {RangeError} when the server has the name already, or 7936 functions
   */
  add(target: ApiFunction, services: FunctionServices): number {
    const { name } = target;
    this.checkFree([name]);
    const opcode = this.#freeOpcode(name);
    this.#byName.set(name, { opcode, target, services });
    this.#register(opcode);
    if (functionOpcode(name) !== opcode) this.#register(functionOpcode(name));
    return opcode;
  }

  /** Serves it no longer. */
  remove(name: string): void {
    const opcode = this.#byName.get(name)?.opcode;
    if (opcode === undefined) return;
    this.#byName.delete(name);
    this.#register(opcode);
    if (functionOpcode(name) !== opcode) this.#register(functionOpcode(name));
  }

  /** Serves at an opcode who has it, and the packets of those who were looked for there. */
  #register(opcode: number): void {
    const entries = [...this.#byName.values()];
    const owner = entries.find((entry) => entry.opcode === opcode);
    const others = entries.filter((entry) =>
      entry !== owner && functionOpcode(entry.target.name) === opcode
    );
    const meetings = [...owner ? [owner] : [], ...others].map((
      { target, services: { lanes } },
    ) => ({ target, lanes }));
    const [first, ...rest] = meetings;
    this.#server[serveReserved](opcode, first && meetingService([first, ...rest]));
    this.#server[serveReserved](opcode + 1, owner?.services.message);
  }

  #freeOpcode(name: string): number {
    const taken = new Set(this.#byName.values().map(({ opcode }) => opcode));
    let place = fnv1a(name) % PLACES;
    while (taken.has(opcodeAt(place))) place++;
    return opcodeAt(place);
  }

  #answer(bytes: Uint8Array): Uint8Array {
    const question = jsonCodec.decode(bytes) as Record<string, unknown> | null | undefined;
    const { name, text } = question ?? {};
    if (typeof name !== "string" || typeof text !== "string") {
      throw new TypeError("Cannot find a function as a name and a signature must be asked for");
    }
    return jsonCodec.encode(this.#find(name, text));
  }

  /** By what text of the caller's: what it says of another function is not told. */
  #find(name: string, text: string): { readonly opcode: number } {
    const known = this.#byName.get(name);
    if (!known) {
      const hint = nameHint(name, this.#byName.keys());
      throw new RangeError(`Cannot find the function ${name}: ${hint}`);
    }
    if (known.target.text === text) return { opcode: known.opcode };
    throw new TypeError(
      `Cannot find the function ${name} as it is another here: ${known.target.text}, and for the caller ${text}`,
    );
  }
}
