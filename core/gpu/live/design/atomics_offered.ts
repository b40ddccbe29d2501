import { type ApartSide, atomicsFault } from "../../../toggle/design/atomics_needed.ts";
import type { ChannelDesign } from "../../../toggle/design/channel_design.ts";
import type { LiveDeviceInfo } from "../device/physical_device.ts";
import { notSupported } from "../vulkan/vulkan.ts";

/**
 * Rejects a channel whose design needs more than a device's atomics towards the host's memory.
 *
 * @throws {DOMException} `NotSupportedError` with what is lacking and the way out
 */
export function checkOffered(
  { name, hostAtomics }: LiveDeviceInfo,
  design: ChannelDesign,
  where: ApartSide,
): void {
  const fault = atomicsFault(design, { ...where, offered: hostAtomics.accesses });
  if (fault !== undefined) {
    throw notSupported(
      `waves of ${name} cannot share the channel: ${fault} (${hostAtomics.source})`,
    );
  }
}
