import { callFunction, type FunctionName } from "./functions.ts";

/** A task has one argument. */
export function run([name, ...values]: [FunctionName, ...number[]]): number | Promise<number> {
  return callFunction(name, ...values);
}
