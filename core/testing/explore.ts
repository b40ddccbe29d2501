/**
 * Explores what takes too long for the tests: `deno task explore [TEXT]`. Prints a line for each
 * setting whose name has the text, and ends with 1 if anything is wrong.
 */
import { changedCore } from "./explorer/changed_core.ts";
import { exploreAll } from "./explorer/explorer.ts";
import type { Model } from "./explorer/model.ts";
import { liveModel } from "./live_model/live_model.ts";
import { LONG_LIVE_SETTINGS, SHORT_LIVE_SETTINGS } from "./live_model/live_settings.ts";
import { channelModel } from "./model/channel_model.ts";
import { LONG_SETTINGS, SHORT_SETTINGS } from "./model/channel_settings.ts";
import { FOR_CHANNEL_MODEL } from "./model/core_changes.ts";

/** About what fits into 8 GiB. */
const STATE_COUNT_MAX = 16_000_000;

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main([text = ""]: readonly string[]): Promise<number> {
  const core = await changedCore(FOR_CHANNEL_MODEL);
  const asyncCore = await changedCore({ ...FOR_CHANNEL_MODEL, isSynchronous: true });
  const settings = [
    ...[...SHORT_SETTINGS, ...LONG_SETTINGS].map(({ name, plan }) => {
      const makeModel = () => channelModel({ ...plan, core: plan.isAsync ? asyncCore : core });
      return { name, makeModel };
    }),
    ...[...SHORT_LIVE_SETTINGS, ...LONG_LIVE_SETTINGS].map(({ name, plan }) => {
      return { name, makeModel: () => liveModel({ ...plan, core }) };
    }),
  ].filter(({ name }) => name.includes(text));
  let failedCount = 0;
  for (const [index, setting] of settings.entries()) {
    console.error(`${index + 1} of ${settings.length}: ${setting.name} ...`);
    if (!explore(setting)) failedCount++;
  }
  console.log(`${settings.length - failedCount} passed, ${failedCount} failed`);
  return failedCount === 0 ? 0 : 1;
}

/** Returns whether all is well. */
function explore(
  { name, makeModel }: { readonly name: string; readonly makeModel: () => Model },
): boolean {
  const beginMilliseconds = performance.now();
  const options = { stateCountMax: STATE_COUNT_MAX, mustEnd: true };
  try {
    const { stateCount, violation } = exploreAll(makeModel(), options);
    const seconds = Math.round((performance.now() - beginMilliseconds) / 1000);
    console.log(`| ${name} | ${stateCount} | ${seconds} s | ${violation ?? "nothing"} |`);
    return violation === undefined;
  } catch (error) {
    console.log(`| ${name} | over ${STATE_COUNT_MAX} | | ${(error as Error).message} |`);
    return false;
  }
}
