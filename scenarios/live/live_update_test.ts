import { liveUpdate } from "./live_update.ts";
import { testLive } from "./on_live_lab_test.ts";

testLive(
  liveUpdate,
  liveUpdate.axes.update.map((update) => ({ update, place: "one_line" } as const)),
  { controls: false },
);
