import { isAnonymous } from "../design/channel_design.ts";
import type { ChannelLayout } from "../layout.ts";

/**
 * Refuses what has to know who holds which port.
 *
 * @param what cannot be done, behind the word "Cannot"
 * @throws {TypeError} when the channel's locks do not say it
 */
export function checkNamesHolders({ portLock }: ChannelLayout, what: string): void {
  if (!isAnonymous(portLock)) return;
  throw new TypeError(`Cannot ${what} as portLock ${portLock} does not say who holds a port`);
}
