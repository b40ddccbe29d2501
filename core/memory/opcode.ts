/**
 * The service that a client asks for. Numbers are wire format: append only.
 *
 * 0 to 32767 are reserved for services of this library, 32768 to 65535 are the user's
 * (LLVM libc splits its 16-bit opcodes the same way).
 */
export const Opcode = {
  /** Answers with the unchanged packet. */
  noop: 0x0000,
  /** A stream of bytes a lane, written to the host's standard output; answers the bytes written. */
  writeStdout: 0x0001,
  /** A call with hostrpc's four callbacks; only `TypedServer.rpcHandle` answers it. */
  rpcInvoke: 0x0002,
  /**
   * A `printf` a lane, written to the host's standard output: a stream of the format's length in
   * bytes, the format, filled up to whole words, and a word for each number. Answers the bytes written.
   */
  printf: 0x0003,
  /** A message with the name and the signature of a function; answers the opcode of its calls. */
  findFunction: 0x0004,
} as const;
/** One of the numbers of {@linkcode Opcode}. */
export type Opcode = typeof Opcode[keyof typeof Opcode];

/** The first opcode of functions served by name. They end before {@linkcode USER_OPCODE_FIRST}. */
export const FUNCTION_OPCODE_FIRST = 0x4000;

/** The first opcode that users may register. */
export const USER_OPCODE_FIRST = 0x8000;

/** The largest opcode. */
export const OPCODE_MAX = 0xffff;

/**
 * Checks an opcode that a user wants to serve.
 *
 * @throws {RangeError} when it is not an integer from {@linkcode USER_OPCODE_FIRST} to
 * {@linkcode OPCODE_MAX}; those below are reserved for this library
 */
export function checkUserOpcode(opcode: number): void {
  checkOpcode(opcode);
  if (opcode >= USER_OPCODE_FIRST) return;
  throw new RangeError(
    `Cannot serve the opcode as those below ${USER_OPCODE_FIRST} are reserved: current value is ${opcode}`,
  );
}

/**
 * Checks an opcode that a caller gives.
 *
 * @throws {RangeError} when it is not an integer from 0 to {@linkcode OPCODE_MAX}
 */
export function checkOpcode(opcode: number): void {
  if (Number.isInteger(opcode) && opcode >= 0 && opcode <= OPCODE_MAX) return;
  throw new RangeError(
    `Cannot use the opcode as it must be an integer from 0 to ${OPCODE_MAX}: current value is ${opcode}`,
  );
}
