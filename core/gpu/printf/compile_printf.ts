import { closingOf } from "../syntax/tokens.ts";
import { compileWgsl, type Fault } from "../compile/compile_wgsl.ts";
import type { PrintfCall, PrintfScope } from "./printf_calls.ts";
import { PrintfError } from "./printf_error.ts";
import { positionAt, type TextPosition } from "../syntax/text_position.ts";
import { argumentTypes } from "./printf_functions.ts";
import { type Insertion, originalPosition } from "../syntax/text_edits.ts";

/** A rewritten shader, and what it was made of. */
export interface PrintfShader {
  readonly code: string;
  readonly scope: PrintfScope;
  readonly calls: readonly PrintfCall[];
  readonly insertions: readonly Insertion[];
}

/**
 * Compiles a shader with `printf`.
 *
 * @throws {PrintfError} at the author's line and column when it does not compile
 */
export async function compilePrintf(
  device: GPUDevice,
  shader: PrintfShader,
): Promise<GPUShaderModule> {
  const result = await compileWgsl(device, shader.code);
  if (result instanceof GPUShaderModule) return result;
  throw compileError(shader, result);
}

function compileError(shader: PrintfShader, { position: found, reason }: Fault): PrintfError {
  const { source } = shader.scope;
  if (found.line < 1 || found.line > source.split("\n").length) {
    const generated = `what is generated around the text does not fit: ${reason}`;
    return new PrintfError(generated, source, { line: 1, column: 1 });
  }
  const position = originalPosition(source, shader.insertions, found);
  const call = shader.calls.find((one) => covers(shader.scope, one, position));
  const taken = call ? `; this printf takes ${argumentTypes(call).join(", ") || "nothing"}` : "";
  return new PrintfError(reason + taken, source, position);
}

function covers({ source, tokens }: PrintfScope, { at }: PrintfCall, position: TextPosition) {
  const first = positionAt(source, tokens[at]!.index);
  const last = tokens[closingOf(tokens, at + 1)];
  const end = positionAt(source, last?.index ?? source.length);
  return isBefore(first, position) && isBefore(position, end);
}

/** Whether a place is before another, or the same. */
function isBefore(a: TextPosition, b: TextPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column);
}
