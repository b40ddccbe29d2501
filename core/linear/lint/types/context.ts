import type * as s from "../syntax/syntax.ts";
import { isHandlerType } from "./called.ts";
import { ts } from "./compiler.ts";
import { contextOf } from "./loan.ts";
import type { Oracle } from "./oracle.ts";

/** Whether a function is written where one is wanted that serves calls. */
export function servesCalls({ file }: Oracle, { node }: s.LocalFunction): boolean {
  const declaration = contextOf(file, node)?.declaration;
  return declaration !== undefined && isHandlerType(declaration);
}

/** Whether the place where a function is written wants no result of it. */
export function isCalledForNothing({ file }: Oracle, { node }: s.LocalFunction): boolean {
  const type = contextOf(file, node)?.getReturnType();
  return type !== undefined && (type.flags & ts.TypeFlags.Void) !== 0;
}
