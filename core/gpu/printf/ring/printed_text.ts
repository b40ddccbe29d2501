import type { PrintedCall, PrintfPlace } from "./read_ring.ts";

/**
 * In which order calls are shown: `invocation` shows all of the first lane of the first workgroup,
 * then all of the next lane, and so on; `arrival` as they came into the ring, which differs from run
 * to run. The calls of one invocation keep their order in both. Of several dispatches in one ring,
 * `invocation` does not tell which call is whose; `arrival` shows those of the first dispatch first.
 */
export type PrintfOrder = "invocation" | "arrival";

/** What a text is made of calls by. */
export interface PrintedTextOptions {
  /** `invocation` when absent. */
  readonly order?: PrintfOrder;
  /** Whether each line begins with who printed it, as `[2:31] ` for lane 31 of workgroup 2. */
  readonly isLabelled?: boolean;
}

function labelOf(place: PrintfPlace): string {
  return place.stage === "compute"
    ? `[${place.workgroupIndex}:${place.laneIndex}] `
    : `[pixel ${place.x},${place.y}] `;
}

/** Puts the label in front of each line that a call begins; `isNew` says whether it begins one at once. */
function labelled({ text, place }: PrintedCall, isNew: boolean): string {
  const label = labelOf(place);
  return (isNew && text !== "" ? label : "") + text.replaceAll(/\n(?=[^])/g, `\n${label}`);
}

/** The calls with labels in front of their lines. */
export function* labelCalls(calls: Iterable<PrintedCall>): Generator<PrintedCall> {
  let [line, owner] = ["", ""];
  for (const call of calls) {
    // A line that another invocation has begun does not say who goes on with it.
    const label = labelOf(call.place);
    const isNew = line === "" || line.endsWith("\n") || owner !== label;
    if (call.text !== "") [line, owner] = [call.text, label];
    yield { ...call, text: labelled(call, isNew) };
  }
}
