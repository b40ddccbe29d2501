import { assertEquals } from "@std/assert";
import * as unchanged from "../explorer/whole_core.ts";
import { changedCore } from "../explorer/changed_core.ts";
import { OWN_BIT, siteKind, STALE_PEEKS } from "./channel_ordering.ts";
import { exploreAll } from "../explorer/explorer.ts";
import type { Model, Ordering } from "../explorer/model.ts";
import { channelModel } from "./channel_model.ts";
import { FOR_CHANNEL_MODEL, TIDY_ALWAYS } from "./core_changes.ts";
import { tracedSteps } from "../explorer/traced_steps.ts";
import { sessionModel } from "./session_model.ts";

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
        if (isStale) sites.add(siteKind(site));
        return isStale;
      },
    };
  };
  exploreAll({ ...model, orderingOf }, { stateCountMax: 200_000 });
  return sites;
}

Deno.test("every look that may be stale is one that the core takes", async () => {
  const core = await changedCore({
    ...FOR_CHANNEL_MODEL,
    tuning: { ...FOR_CHANNEL_MODEL.tuning, ...TIDY_ALWAYS.tuning },
  });
  const counts = { core, clientCount: 1, serverCount: 1, portCount: 1 };
  const bits = {
    mailboxWidth: "bit",
    mailboxUpdate: "fetch-add",
    discovery: "bitmap",
    portLock: "fetch-or",
  } as const;
  const shared = { ...counts, core: unchanged, clientCount: 2, portCount: 2, design: bits };
  const sites = [
    sessionModel({ ...counts, operations: "sr", parity: 0, isTidied: true }),
    channelModel({ ...counts, clients: [["call"]], makeSteps: tracedSteps() }),
    channelModel({ core, clients: [["call"]], serverCount: 1, portCount: 1 }),
    channelModel({ ...counts, clients: [["call"]], design: { portLock: "held" } }),
    channelModel({ ...counts, clients: [["call"]], pages: ["client", "server"] }),
    channelModel({ ...counts, clients: [["call"]], design: bits }),
    sessionModel({ ...shared, operations: "sr", parity: 0 }),
  ].flatMap((model) => [...staleSites(model)]);
  const listed = new Set([...Object.keys(STALE_PEEKS), ...OWN_BIT]);
  assertEquals([...new Set(sites)].sort(), [...listed].sort());
});
