/** A worker that is locked as a guest's is, and keeps what no guest finds, to look at it. */
import { lockRealm } from "../guest/lock_realm.ts";

const { ErrorEvent, Event, EventTarget, MessageEvent, PromiseRejectionEvent } = globalThis;
const post = (globalThis as unknown as Worker).postMessage.bind(globalThis);
lockRealm(() => {});
const events = [ErrorEvent, Event, EventTarget, MessageEvent, PromiseRejectionEvent];
post(events.map((event) => Object.isFrozen(event) && Object.isFrozen(event.prototype)));
