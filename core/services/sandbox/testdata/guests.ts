/** Guests for tests: scripts as texts, with one function of their host, and their log. */
import { type ApiServer, fn, hostApi, string } from "../../../signature/mod.ts";
import type { AuditEntry } from "../audit_log.ts";
import { allow } from "../policy.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../sandbox.ts";

/** An API of one function, which makes texts large. */
export const names = hostApi("names", { of: fn([string], string) });

/** Serves {@linkcode names}. */
export function serveNames(server: ApiServer): void {
  server.serve(names, { of: (name) => name.toUpperCase() });
}

/** A guest that runs, and what its log has by now. */
export interface TestGuest extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly lines: readonly string[];
  entries(): AuditEntry[];
  /** What it printed. */
  printed(): unknown[];
}

/** Starts a guest; its log is an array. */
export async function startGuest(
  script: string,
  options: Partial<SandboxOptions> = {},
): Promise<TestGuest> {
  const lines: string[] = [];
  const sandbox = await startSandbox(`data:text/javascript,${encodeURIComponent(script)}`, {
    serve: serveNames,
    policy: [allow("names.of")],
    audit: (line) => void lines.push(line),
    name: "guest.js",
    ...options,
  });
  const entries = () => lines.map((line): AuditEntry => JSON.parse(line));
  return {
    sandbox,
    lines,
    entries,
    printed: () =>
      entries().filter(({ call }) => call === "sandbox.print").map((one) => one.arguments![0]),
    [Symbol.asyncDispose]: () => sandbox.terminate(),
  };
}
