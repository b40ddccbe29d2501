/** From the outermost in. */
const FILTERS = ["internal", "out-of-memory", "validation"] as const;

/** What a device says of work that it was asked for. */
export interface Scoped<T> {
  readonly result: T;
  /** Why the device refused some of it; `undefined` when it has taken all. Costs nothing until asked. */
  readonly refusal: () => Promise<GPUError | undefined>;
}

/**
 * Runs what asks a device for something, under error scopes of every kind. The scopes of a device are
 * one stack, so nothing is awaited inside: what else uses the device meanwhile has scopes of its own.
 */
export function underScopes<T>(device: GPUDevice, work: () => T): Scoped<T> {
  FILTERS.forEach((filter) => device.pushErrorScope(filter));
  let errors: Promise<GPUError | null>[];
  let result: T;
  try {
    result = work();
  } finally {
    errors = FILTERS.map(() => device.popErrorScope());
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

/** The error of a submit that a device has refused. */
export function refusedError(what: string, error: GPUError): DOMException {
  const wayOut = error instanceof GPUOutOfMemoryError ? ROOM_WAY_OUT : BUFFERS_WAY_OUT;
  return new DOMException(refusalText(what, error, wayOut), "OperationError");
}

/** The error of memory that a device has refused. */
export function noRoomError(what: string, error: GPUError): RangeError {
  return new RangeError(refusalText(what, error, ROOM_WAY_OUT));
}

function refusalText(what: string, { message }: GPUError, wayOut: string): string {
  const said = message.trim().replace(/\.$/, "");
  return `Cannot ${what} as the device refused it: ${said}; ${wayOut}`;
}

/** Frees the parts of some memory. */
export function destroyAll(parts: object): void {
  for (const part of Object.values(parts) as ({ destroy(): void } | undefined)[]) part?.destroy();
}

/**
 * Makes memory of a device, and waits until the device has agreed; else nothing of it is left.
 *
 * @param what cannot be done without it, for the message
 * @throws {RangeError} when the device refuses it
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
