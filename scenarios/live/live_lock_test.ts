import { liveLock } from "./live_lock.ts";
import { testLive } from "./on_live_lab_test.ts";

for (const lock of liveLock.axes.lock) {
  const points = (["two_waves", "wave_and_worker"] as const)
    .map((contenders) => ({ lock, contenders }));
  // So many that they do meet: two that had the lock at once would lose a count.
  testLive(liveLock, points, { controls: false, callCount: 200_000 });
}
