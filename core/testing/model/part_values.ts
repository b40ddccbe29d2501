import type * as Core from "../../mod.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";
import { PART_COUNT, PART_WINDOW, type PlanSetting } from "./channel_plan.ts";

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
  const isWhole = port.recvParts({
    count: PART_COUNT,
    window: PART_WINDOW,
    use(_, part) {
      values.push(words.plain[first + part % PART_WINDOW]!);
      words.remember("parts", values);
    },
  });
  words.remember("parts", "");
  if (!isWhole) words.violate("A port takes no parts");
  if (values.some((held, part) => held !== value + part + 1)) {
    words.violate(`Lost parts: ${values} follow ${value}`);
  }
  return value + PART_COUNT;
}
