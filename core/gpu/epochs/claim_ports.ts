import type { Channel } from "../../toggle/channel.ts";

/**
 * Takes every port of a channel for one client: to the host a device is a client that holds them
 * all. The device's own locks stay on the device, and a server must not take a wave for a client
 * that has left.
 *
 * @throws {TypeError} when another client holds a port; then none is taken
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { claimPorts, releasePorts } from "./claim_ports.ts";
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const ownerId = channel.takeOwnerId();
 * claimPorts(channel, ownerId);
 * releasePorts(channel, ownerId);
 * ```
 */
export function claimPorts(channel: Channel, ownerId: number): void {
  const { portCount, clientLockWord } = channel.layout;
  for (let index = 0; index < portCount; index++) {
    // Sync: against clients in other workers, which take ports in the same way.
    const holder = channel.words.compareExchange(clientLockWord + index, 0, ownerId);
    if (holder === 0) continue;
    releasePorts(channel, ownerId);
    throw new TypeError(
      `Cannot put the channel on the device as client ${holder} holds its port ${index}: a channel is the device's alone`,
    );
  }
}

/** Gives the ports back that {@linkcode claimPorts} took. */
export function releasePorts(channel: Channel, ownerId: number): void {
  const { portCount, clientLockWord } = channel.layout;
  for (let index = 0; index < portCount; index++) {
    // Sync: pairs with the next client's claim, of all ports or of one.
    channel.words.compareExchange(clientLockWord + index, ownerId, 0);
  }
}
