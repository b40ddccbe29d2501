/** How a wave claims a port among its neighbours on the device. */
export const LOCK_NAMES = ["fetch-or", "cas", "fetch-add"] as const;
export type LockName = typeof LOCK_NAMES[number];

/** The choice of a lock as constants of a shader. */
export function lockConstants(lock: LockName): Record<string, number> {
  return {
    LOCK_KIND: LOCK_NAMES.indexOf(lock),
    LOCK_FETCH_OR: LOCK_NAMES.indexOf("fetch-or"),
    LOCK_CAS: LOCK_NAMES.indexOf("cas"),
    LOCK_FETCH_ADD: LOCK_NAMES.indexOf("fetch-add"),
  };
}

/** @throws {TypeError} when there is no lock of that name */
export function checkLockName(lock: string): void {
  if ((LOCK_NAMES as readonly string[]).includes(lock)) return;
  throw new TypeError(
    `Cannot make a kernel as lock must be one of ${
      LOCK_NAMES.join(", ")
    }: current value is ${lock}`,
  );
}
