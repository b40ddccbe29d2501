import { TestOpcode } from "../conformance/services.ts";
export { addServices } from "../conformance/services.ts";

/** What the kernels of this folder ask for, by the names that their WGSL uses. */
export const KernelOpcode = {
  INCREMENT: TestOpcode.increment,
  INTERFACE: TestOpcode.interface,
  ECHO_PLUS_ONE: TestOpcode.echoPlusOne,
} as const;
