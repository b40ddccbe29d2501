/** What `Opcode.writeStdout` and `Opcode.printf` need of the machine. Tests inject one that records. */
export interface Host {
  /**
   * Writes some of the bytes to standard output; returns how many. Their memory is used again when the
   * call has returned: who keeps them makes a copy.
   */
  writeStdout(bytes: Uint8Array): number;
}

/** The standard output of this program. */
export const denoHost: Host = {
  writeStdout: (bytes) => Deno.stdout.writeSync(bytes),
};
