/** Guests whose ends a test looks at from outside: what they print, and whether the program ends. */
import { fn, hostApi, nothing, string } from "../../../signature/mod.ts";
import { allow } from "../policy.ts";
import { startSandbox } from "../sandbox.ts";
import { guestUrl } from "./guest_url.ts";
import { isolation } from "./names_options.ts";

const notes = hostApi("notes", { add: fn([string], nothing) });

const SCRIPT = `
exports.throwLater = () => {
  setTimeout(() => { throw new Error("FORGED\\n{}\\u001b[2J"); }, 0);
  queueMicrotask(() => { throw new Error("FORGED microtask"); });
  Promise.reject(new Error("FORGED rejection"));
  return new Promise((resolve) => setTimeout(() => { host.notes.add("lives"); resolve(1); }, 20));
};
exports.loop = () => { console.log("loops"); for (;;); };
exports.trap = () => {
  const fail = () => { throw new Error("FORGED getter"); };
  const proxy = () => { throw new Proxy(new Error(), { getPrototypeOf: fail, get: fail }); };
  for (const later of [setTimeout, setInterval, queueMicrotask]) later(proxy);
  for (const [object, key] of [
    [Object, "bubbles"], [Array, "0"], [Promise, "constructor"], [() => {}, "call"],
  ]) {
    try {
      Object.defineProperty(object.prototype ?? Object.getPrototypeOf(object), key, { get: fail, set: fail });
    } catch {}
  }
  try {
    Object.setPrototypeOf(Object.getPrototypeOf(globalThis), null);
  } catch {}
  Promise.reject(new Error("FORGED rejection"));
};`;

const noted: string[] = [];
const lines: string[] = [];
const sandbox = await startSandbox(guestUrl(SCRIPT), {
  serve: (server) => server.serve(notes, { add: (text) => void noted.push(text) }),
  policy: [allow("notes.add")],
  audit: (line) => void lines.push(line),
  isolation,
  limits: { timeoutSeconds: 2 },
});
await sandbox.call("throwLater");
await sandbox.call("trap");
await sandbox.call("throwLater");
const late = await sandbox.call("loop").catch(String);
const after = await sandbox.call("loop").catch(String);
Deno.writeTextFileSync(
  Deno.args[0]!,
  JSON.stringify({
    noted,
    late,
    after,
    last: lines.findLast((line) => line.includes("sandbox.print")),
    hasLeft: await sandbox.terminate(),
  }),
);
Deno.exit(0); // the guest's thread cannot be ended otherwise
