import { assertEquals } from "@std/assert";
import { changedCore } from "../explorer/changed_core.ts";
import { STALE_PEEKS } from "./channel_ordering.ts";
import { exploreAll } from "../explorer/explorer.ts";
import type { Model, Ordering } from "../explorer/model.ts";
import { TIDY_ALWAYS, WATCH_ONCE } from "./planted_fault.ts";
import { sessionModel } from "./session_model.ts";
import { sleepModel } from "./sleep_model.ts";

/** The sites of the looks that may be stale in the model. */
function staleSites(model: Model): Set<string> {
  const sites = new Set<string>();
  const orderingOf = (memory: Int32Array): Ordering => {
    const ordering = model.orderingOf!(memory);
    return {
      placeCount: ordering.placeCount,
      atomicWords: ordering.atomicWords,
      placeOf: (word) => ordering.placeOf(word),
      isPlain: (word) => ordering.isPlain(word),
      mayBeStale: (thread, word, site = "") => {
        const isStale = ordering.mayBeStale(thread, word, site);
        if (isStale) sites.add(site);
        return isStale;
      },
    };
  };
  exploreAll({ ...model, orderingOf }, { stateCountMax: 200_000 });
  return sites;
}

Deno.test("every look that may be stale is one that the core takes", async () => {
  const core = await changedCore([TIDY_ALWAYS, WATCH_ONCE]);
  const counts = { core, clientCount: 1, serverCount: 1, portCount: 1 };
  const sites = [
    sessionModel({ ...counts, operations: "sr", parity: 0, isTidied: true }),
    sleepModel({ ...counts, callsPerClient: 1 }),
  ].map(staleSites);
  assertEquals([...sites[0]!.union(sites[1]!)].sort(), Object.keys(STALE_PEEKS).sort());
});
