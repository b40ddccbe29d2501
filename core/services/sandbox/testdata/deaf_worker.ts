/** A locked worker whose runtime fails at its next wait for messages. */
import { lockRealm } from "../guest/lock_realm.ts";

let isDeaf = false;
// Bound, as the functions of the language have no source either.
const get = ((): PromiseConstructor => {
  if (isDeaf) throw new Error("deaf");
  return Promise;
}).bind(null);
Object.defineProperty(Promise.prototype, "constructor", { get });
globalThis.addEventListener("message", () => {
  isDeaf = true;
});
const post = (globalThis as unknown as Worker).postMessage.bind(globalThis);
lockRealm(() => {});
post("ready");
