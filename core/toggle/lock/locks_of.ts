import type { Words } from "../../memory/words.ts";
import { isAnonymous } from "../design/channel_design.ts";
import { anonymousLocks } from "./anonymous_locks.ts";
import { OwnerLocks } from "./owner_locks.ts";
import type { LockView, PortLocks } from "./port_locks.ts";

/** The locks that the channel was made with. */
export function locksOf(words: Words, view: LockView): PortLocks {
  const { portLock } = view.layout;
  return isAnonymous(portLock)
    ? anonymousLocks(portLock, words, view)
    : new OwnerLocks(words, view);
}
