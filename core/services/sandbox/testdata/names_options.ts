import { type ApiServer, fn, hostApi, string } from "../../../signature/mod.ts";
import { allow, type Policy } from "../policy.ts";
import type { SandboxOptions } from "../sandbox.ts";

/** An API of one function, which makes texts large. */
export const names = hostApi("names", { of: fn([string], string) });
/** What the log of the last sandbox has. */
export const lines: string[] = [];

/** Serves {@linkcode names}, and begins a new log. */
export function namesOptions(policy: Policy = [allow("names.of")]): SandboxOptions {
  lines.length = 0;
  return {
    serve: (server: ApiServer) => void server.serve(names, { of: (name) => name.toUpperCase() }),
    policy,
    audit: (line: string) => void lines.push(line),
    name: "guest.js",
  };
}
