import { CallError } from "../../call/call_error.ts";
import { jsonCodec } from "../../call/codec.ts";
import { FUNCTION_OPCODE_FIRST, Opcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import type { CallBytesOptions, Client } from "../../toggle/client/client.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import type { ApiFunction } from "../declare/signature.ts";

const ANSWER_LIMIT_BYTES = 1 << 10;

/**
 * Asks a server for the opcode of a function, by its name and signature. Blocks.
 *
 * @throws {CallError} when there is none of the name, with the nearest one; when the signature is
 * another, with both; when the server has no functions at all
 */
export function findFunction(client: Client, target: ApiFunction, options: WaitOptions): number {
  try {
    return opcodeOf(client.callBytes(Opcode.findFunction, question(target), limited(options)));
  } catch (error) {
    throw explained(target, error);
  }
}

/** As {@linkcode findFunction}, without blocking the event loop. */
export async function findFunctionAsync(
  client: Client,
  target: ApiFunction,
  options: WaitOptions,
): Promise<number> {
  try {
    const bytes = question(target);
    return opcodeOf(await client.callBytesAsync(Opcode.findFunction, bytes, limited(options)));
  } catch (error) {
    throw explained(target, error);
  }
}

/** Whether a call failed as the function is not, or not any more, at the opcode that was told. */
export function isElsewhere(error: unknown): error is CallError {
  return error instanceof CallError &&
    (error.status === Status.unhandledOpcode || isOtherSignature(error));
}

/** Whether what serves the opcode has another signature. */
export function isOtherSignature({ cause }: CallError): boolean {
  return (cause as Error | undefined)?.name === "SignatureError";
}

function question({ name, text }: ApiFunction): Uint8Array {
  return jsonCodec.encode({ name, text });
}

function limited(options: WaitOptions): CallBytesOptions {
  return { ...options, limitBytes: ANSWER_LIMIT_BYTES };
}

function opcodeOf(answer: Uint8Array): number {
  const opcode = (jsonCodec.decode(answer) as { readonly opcode?: unknown } | null | undefined)
    ?.opcode;
  const isFunction = Number.isInteger(opcode) && opcode as number >= FUNCTION_OPCODE_FIRST &&
    opcode as number < USER_OPCODE_FIRST;
  if (isFunction) return opcode as number;
  throw new RangeError(
    `Cannot use the server's answer as it is no opcode of a function: ${opcode}`,
  );
}

function explained({ name }: ApiFunction, error: unknown): unknown {
  if (!(error instanceof CallError) || error.status !== Status.unhandledOpcode) return error;
  const detail = `it was asked for the function ${name}, and serves none by name`;
  return new CallError(error.status, { opcode: error.opcode, detail });
}
