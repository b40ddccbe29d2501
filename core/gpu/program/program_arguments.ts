import type { DeviceHeap } from "../heap/device_heap.ts";

/** Texts that a program is started with. */
export interface ProgramTexts {
  /** The first is the name of the program. */
  readonly args: readonly string[];
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where the arguments of `main` are. */
export interface ProgramArguments {
  readonly argc: number;
  /** The address of `argc` addresses, and of a 0 behind them. */
  readonly argv: number;
  /** The address of addresses of `NAME=value`, with a 0 behind them; of none when not wanted. */
  readonly envp: number;
}

/**
 * Puts the arguments of a program into its heap, as C has them.
 *
 * @throws {RangeError} when they do not fit
 * @throws {TypeError} when one of them has a NUL in it
 */
export function putArguments(
  heap: Pick<DeviceHeap, "malloc" | "write" | "sizeBytes">,
  { args, env }: ProgramTexts,
): ProgramArguments {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const [argv, envp] = [args, variables].map((texts) => {
    const addresses = texts.map((text) => put(heap, textBytes(text)));
    return put(heap, new Uint8Array(Uint32Array.of(...addresses, 0).buffer));
  });
  return { argc: args.length, argv: argv!, envp: envp! };
}

function textBytes(text: string): Uint8Array {
  if (!text.includes("\0")) return new TextEncoder().encode(`${text}\0`);
  throw new TypeError(
    `Cannot give a program a text with a NUL in it: current value is ${JSON.stringify(text)}`,
  );
}

function put(heap: Pick<DeviceHeap, "malloc" | "write" | "sizeBytes">, bytes: Uint8Array): number {
  const address = heap.malloc(bytes.length);
  if (address === 0) {
    throw new RangeError(
      `Cannot run the program as its arguments and environment do not fit its heap of ${heap.sizeBytes} bytes: give it more`,
    );
  }
  heap.write(address, bytes);
  return address;
}
