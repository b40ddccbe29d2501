import type * as Core from "../explorer/whole_core.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { isStreaming, PART_COUNT, PART_WINDOW, type PlanSetting } from "./channel_plan.ts";

/** What a packet holds once its value was taken; finding it means that a packet came twice. */
const CONSUMED = -1;

/** Puts the value behind the last that this side knows into a packet. */
export function giveNext(words: ScheduledWords, dataWord: number, known: number): number {
  words.plain[dataWord] = known + 1;
  return known + 1;
}

/**
 * Takes the value out of a packet. It must be the one behind the last that this side knows; a server
 * knows none, which is 0, when a call begins.
 */
export function takeFollowing(words: ScheduledWords, dataWord: number, known: number): number {
  const held = words.plain[dataWord]!;
  if (held === CONSUMED) words.violate("A packet was received twice");
  if (known !== 0 && held !== known + 1) words.violate(`Lost data: ${held} follows ${known}`);
  words.plain[dataWord] = CONSUMED;
  return held;
}

/** A request fills the whole packet, the places of parts with it. */
export function fillPlaces({ plan, at }: PlanSetting, words: ScheduledWords, index: number): void {
  if (!isStreaming(plan)) return;
  for (let place = 0; place < PART_WINDOW; place++) {
    words.plain[at.partWord + index * PART_WINDOW + place] = 0;
  }
}

/** A port in the middle of a stream, and the last value that this side knows. */
export interface StreamEnd {
  readonly port: Pick<Core.Port, "index" | "sendParts" | "recvParts">;
  readonly value: number;
}

/** Sends the next values in parts; returns the last. Who is disturbed may have ended before it began. */
export function sendAllParts(
  { plan, at }: PlanSetting,
  words: ScheduledWords,
  { port, value }: StreamEnd,
): number {
  const first = at.partWord + port.index * PART_WINDOW;
  const isTaken = port.sendParts({
    count: PART_COUNT,
    window: PART_WINDOW,
    use: (_, part) => void (words.plain[first + part % PART_WINDOW] = value + part + 1),
  });
  if (!isTaken && !plan.disturbance) words.violate("A receiver of parts takes none");
  return value + PART_COUNT;
}

/**
 * Receives them. What a part held is judged at the end: a sender that left in the middle may be
 * followed by another, whose packet is not told from it before.
 */
export function recvAllParts(
  { at }: PlanSetting,
  words: ScheduledWords,
  { port, value }: StreamEnd,
): number {
  const first = at.partWord + port.index * PART_WINDOW;
  const values: number[] = [];
  const isWhole = port.recvParts(() => ({
    count: PART_COUNT,
    window: PART_WINDOW,
    use(_, part) {
      values.push(words.plain[first + part % PART_WINDOW]!);
      words.remember("parts", values);
      words.plain[first + part % PART_WINDOW] = CONSUMED;
    },
  }));
  words.remember("parts", "");
  if (!isWhole) words.violate("A port takes no parts");
  if (values.some((held, part) => held !== value + part + 1)) {
    words.violate(`Lost parts: ${values} follow ${value}`);
  }
  return value + PART_COUNT;
}
