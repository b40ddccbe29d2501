import type { Program } from "../explorer/model.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { finish } from "./channel_program.ts";
import { mortalOf, type PlanSetting } from "./channel_plan.ts";
import { holderIn, holderWord } from "./channel_places.ts";
import type { Channel } from "../../toggle/channel.ts";

/** Who makes it happen, in the time that the schedule leaves. */
export function disturber(setting: PlanSetting): Program {
  const { plan, layout } = setting;
  return (words) => {
    const channel = new plan.core.Channel(layout, words) as Channel;
    disturb(setting, words, channel);
    words.boundary("over");
    finish(setting, words, plan.clients.length);
  };
}

function disturb(setting: PlanSetting, words: ScheduledWords, channel: Channel): void {
  const { plan: { clients, disturbance }, at } = setting;
  switch (disturbance) {
    case "time passes":
    case "a client is slow":
      return void words.add(at.timeWord, 1);
    case "stopped":
      return channel.stop();
    case "shut down":
      return channel.shutDown();
    case "client asked":
      return ask(setting, words, { channel, id: 1 });
    case "server asked":
      return ask(setting, words, { channel, id: clients.length + 1 });
    default:
      return bury(setting, words, channel);
  }
}

/** The steps of `evictServer()` and `evictClient()`, with the schedule in place of a clock. */
function ask(
  { plan: { disturbance }, layout, at: { holdersWord } }: PlanSetting,
  words: ScheduledWords,
  { channel, id }: { readonly channel: Channel; readonly id: number },
): void {
  const isClient = disturbance === "client asked";
  const { leaveRequests } = channel;
  const slot = leaveRequests.ask(id);
  channel.announceLeaving();
  const isGivenUp = leaveRequests.giveUp(slot, id);
  for (let index = 0; index < layout.portCount && !isGivenUp; index++) {
    const word = holderWord(layout, isClient ? "client" : "server", { index, holdersWord });
    if (holderIn(words.load(word)) !== id) continue;
    words.violate("Who has left holds a port");
  }
  const isGone = isGivenUp || leaveRequests.settle(slot, id);
  if (isGone && !isClient) channel.abandonServing();
  if (isGivenUp) channel.announceLeaving();
}

/** A worker dies, wherever it is, and somebody hears of it. */
function bury(setting: PlanSetting, words: ScheduledWords, channel: Channel): void {
  const { core, clients, disturbance } = setting.plan;
  const mortal = mortalOf(setting.plan)!;
  words.end(mortal);
  if (disturbance === "server dies") return void core.reclaimServer(channel, clients.length + 1);
  core.reclaimClient(channel, 1);
  finish(setting, words, mortal);
}
