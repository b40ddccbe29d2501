/**
 * Explores what takes too long for the tests: `deno task explore`.
 *
 * @module
 */
import { FAILED_EXIT, write } from "../bench/cli/command_line.ts";
import { runCommand } from "../bench/cli/options/command_options.ts";
import { changedCore } from "../core/testing/explorer/changed_core.ts";
import { exploreAll } from "../core/testing/explorer/explorer.ts";
import type { Model } from "../core/testing/explorer/model.ts";
import { liveModel } from "../core/testing/live_model/live_model.ts";
import {
  LONG_LIVE_SETTINGS,
  SHORT_LIVE_SETTINGS,
} from "../core/testing/live_model/live_settings.ts";
import { channelModel } from "../core/testing/model/channel_model.ts";
import { LONG_SETTINGS, SHORT_SETTINGS } from "../core/testing/model/channel_settings.ts";
import { FOR_CHANNEL_MODEL } from "../core/testing/model/core_changes.ts";

const COMMAND = {
  usage: ["deno task explore [TEXT]"],
  words: [0, 1],
  does:
    `Explores every interleaving of the protocol in the settings whose name has the TEXT, in all when absent:
some take minutes and gigabytes. Prints a line for each: its states, its time, and what was wrong.`,
  options: {},
  ends: `It ends with 0, with 1 when anything is wrong, and with 2 when no setting has the text.`,
} as const;

/** About what fits into 8 GiB. */
const STATE_COUNT_MAX = 16_000_000;

Deno.exit(await runCommand(COMMAND, ({ rest: [text] }) => exploreSettings(text)));

async function exploreSettings(text = ""): Promise<number> {
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
  if (settings.length === 0) {
    throw new SyntaxError(`Cannot explore as no setting has the text: current value is "${text}"`);
  }
  let failedCount = 0;
  for (const [index, setting] of settings.entries()) {
    console.error(`${index + 1} of ${settings.length}: ${setting.name} ...`);
    if (!explore(setting)) failedCount++;
  }
  console.log(`${settings.length - failedCount} passed, ${failedCount} failed`);
  const next = failedCount === 0
    ? "docs/proof.md has these rows"
    : "the first line above that is wrong";
  write(Deno.stderr, `Next: ${next}\n`);
  return failedCount === 0 ? 0 : FAILED_EXIT;
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
