import type { Words } from "../../memory/words.ts";
import { isAnonymous } from "../design/channel_design.ts";
import { ANONYMOUS_LOCKS } from "./anonymous_locks.ts";
import { HeldLocks } from "./held_locks.ts";
import { OwnerLocks } from "./owner_locks.ts";
import type { LockView, PortLocks } from "./port_locks.ts";

/** The locks that the channel was made with. */
export function locksOf(words: Words, view: LockView): PortLocks {
  const { portLock } = view.layout;
  if (isAnonymous(portLock)) return new ANONYMOUS_LOCKS[portLock](words, view);
  return portLock === "held" ? new HeldLocks(words, view) : new OwnerLocks(words, view);
}
