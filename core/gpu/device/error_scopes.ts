/** From the outermost scope to the innermost. */
const FILTERS = ["internal", "out-of-memory", "validation"] as const;

/** A result, and whether the device accepted the work. */
export interface Scoped<T> {
  readonly result: T;
  /** Why the device rejected the work; `undefined` if it did not. Costs nothing until called. */
  readonly refusal: () => Promise<GPUError | undefined>;
}

/**
 * Runs work on a device under error scopes of every kind. The scopes of a device form one stack, so the
 * work must not await anything: other work would end up in its scopes.
 */
export function underScopes<T>(device: GPUDevice, work: () => T): Scoped<T> {
  FILTERS.forEach((filter) => device.pushErrorScope(filter));
  let errors: Promise<GPUError | null>[];
  let result: T;
  try {
    result = work();
  } finally {
    errors = FILTERS.map(() => device.popErrorScope());
    // A device that is lost rejects them, and nobody may ask.
    for (const error of errors) error.catch(() => {});
  }
  return { result, refusal: () => firstOf(errors) };
}

async function firstOf(errors: readonly Promise<GPUError | null>[]): Promise<GPUError | undefined> {
  const settled = await Promise.all(errors);
  return settled.find((error) => error !== null) ?? undefined;
}

const BUFFERS_WAY_OUT =
  "its buffers have to be of this device, as large as the text declares them, and neither destroyed nor mapped";
const ROOM_WAY_OUT = "the device has no room for it: free memory, or ask for less";

/** Creates the error for a submit that the device rejected. */
export function refusedError(what: string, error: GPUError): DOMException {
  const wayOut = error instanceof GPUOutOfMemoryError ? ROOM_WAY_OUT : BUFFERS_WAY_OUT;
  return new DOMException(refusalText(what, error, wayOut), "OperationError");
}

/** Creates the error for memory that the device could not allocate. */
export function noRoomError(what: string, error: GPUError): RangeError {
  return new RangeError(refusalText(what, error, ROOM_WAY_OUT));
}

function refusalText(what: string, { message }: GPUError, wayOut: string): string {
  const said = message.trim().replace(/\.$/, "");
  return `Cannot ${what} as the device refused it: ${said}; ${wayOut}`;
}

/** Destroys every part that is there. */
export function destroyAll(parts: object): void {
  for (const part of Object.values(parts) as ({ destroy(): void } | undefined)[]) part?.destroy();
}

/**
 * Allocates memory and waits for the device to confirm it; destroys it otherwise.
 *
 * @param what names the action in the error message
 * @throws {RangeError} when the device cannot allocate it
 */
export async function allocated<T extends object>(
  device: GPUDevice,
  what: string,
  make: () => T,
): Promise<T> {
  const { result, refusal } = underScopes(device, make);
  const error = await refusal();
  if (!error) return result;
  destroyAll(result);
  throw noRoomError(what, error);
}
