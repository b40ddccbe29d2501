import { type ChannelShape, PROTOCOL_VERSION } from "./layout.ts";

/** What travels to another isolate, by `postMessage`, to attach to a channel. */
export interface ChannelHandle extends ChannelShape {
  /** Tells a handle from other messages. */
  readonly kind: "portlab.channel";
  /** The version of the protocol that laid the memory out. */
  readonly version: number;
  /** The memory itself, which is shared and not copied. */
  readonly buffer: SharedArrayBuffer;
}

/**
 * Checks what came from another isolate.
 *
 * @throws {TypeError} when it is no handle, or was made by another version
 */
export function checkHandle(handle: ChannelHandle): void {
  const { kind, version, buffer } = handle ?? {};
  if (kind !== "portlab.channel") {
    throw new TypeError(`Cannot attach to a channel as the handle is not one: its kind is ${kind}`);
  }
  if (!(buffer instanceof SharedArrayBuffer)) {
    throw new TypeError(
      `Cannot attach to a channel as the handle's buffer must be a SharedArrayBuffer: current value is ${
        Object.prototype.toString.call(buffer)
      }`,
    );
  }
  if (version === PROTOCOL_VERSION) return;
  throw new TypeError(
    `Cannot attach to a channel as it was made by version ${version} of the protocol: this is version ${PROTOCOL_VERSION}`,
  );
}
