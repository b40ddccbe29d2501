/** A worker whose runtime fails while it waits for messages, and waits no more. */
import { stayAwake } from "../guest/lock_realm.ts";

stayAwake();
globalThis.addEventListener("message", () => {});
globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
(globalThis as unknown as Worker).postMessage("ready");
Object.freeze(globalThis); // for more than one message it has to change that
