/**
 * The system's number of what failed, which Deno writes into the text of its errors: `(os error 2)`.
 * `undefined` where the text has none.
 */
export function writtenErrno(error: unknown): number | undefined {
  const [, written] = /\(os error (\d+)\)/.exec(String(error)) ?? [];
  return written === undefined ? undefined : Number(written);
}
