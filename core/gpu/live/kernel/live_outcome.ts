import { CallError } from "../../../call/call_error.ts";
import { Status } from "../../../memory/status.ts";
import type { SharedWords } from "../../../memory/words.ts";
import type { FaultReport } from "../../../toggle/server/dispatch.ts";
import { type Refusal, type RunOutcome, withCause } from "../../run/run_report.ts";
import { brokenRule, framesOf, readFailure } from "../../wgsl/kernel_error.ts";
import { begun, type WaveCounts } from "../device/live_run.ts";
import { LiveEnd, type LiveSource, LiveWord } from "./live_source.ts";

/** What is known of a run besides the words by which its waves tell of it. */
interface RunFacts {
  readonly source: LiveSource;
  readonly waveCount: number;
  /** The first that the server has told of. */
  readonly fault: FaultReport | undefined;
  /** Which waves waited for each other for ever, if that has ended them. */
  readonly deadlock: string | undefined;
  /** Whether a program has ended, whose waves were told to leave. */
  readonly mayLeave: boolean;
  /** Frees the ports that waves hold, and returns how many. */
  readonly reclaim: () => number;
}

/** What has gone wrong in a run, whose waves have all ended. */
export function liveOutcome(words: SharedWords, facts: RunFacts): RunOutcome {
  const refusedCount = words.load(LiveWord.refused) >>> 0;
  return {
    refusal: refusedCount > 0 ? firstRefusal(words, facts) : undefined,
    refusedCount,
    broken: brokenRule(words.plain, LiveWord, facts.source),
    unfinished: unfinished(words, facts),
  };
}

function firstRefusal({ plain }: SharedWords, { source, fault }: RunFacts): Refusal {
  const word = plain[LiveWord.refusal]!;
  const told = { status: (word >>> 16) as Status, opcode: word & 0xffff, detail: "" };
  const from = readFailure(plain, LiveWord.refusalPlace);
  const frames = from?.word === told.opcode ? framesOf(from, source.failures) : [];
  return { ...withCause(told, fault), frames };
}

/** Why waves have ended before they had finished. */
function unfinished(
  words: SharedWords,
  { source, waveCount, deadlock, mayLeave, reclaim }: RunFacts,
): Error | undefined {
  const ended = words.load(LiveWord.ended);
  const end = ended & 0xffff;
  if (deadlock) {
    const rule = "make no more waves that wait for each other than the device runs at a time";
    return unfinishedError(`${deadlock}: ${rule}`);
  }
  if (end === LiveEnd.none || (end === LiveEnd.left && mayLeave)) return undefined;
  if (end === LiveEnd.left) {
    const reason = "it, or its device, was disposed of while it ran: await its end first";
    return unfinishedError(reason, "AbortError");
  }
  // Waves give their ports back, unless they are cut off.
  const freedCount = reclaim();
  const waves = `${words.load(LiveWord.left)} of ${waveCount} waves`;
  if (end === LiveEnd.stopped) {
    const opcode = ended >>> 16;
    const detail = `${waves} ended with the channel`;
    const names = source.serviceNames.get(opcode);
    return new CallError(Status.serverGone, { opcode, ...names, detail });
  }
  if (end === LiveEnd.split) {
    return new DOMException(
      `Cannot run the kernel as the device made ${waves} of several subgroups: leave out wave: "subgroup"`,
      "NotSupportedError",
    );
  }
  if (end === LiveEnd.late) {
    const counts = begun(waveCounts(words, waveCount));
    const reason = `${waves} waited for longer than roundsMax: does a server run? ${counts}`;
    return unfinishedError(reason, "TimeoutError");
  }
  return unfinishedError(
    `the adapter left the loops of ${waves} early, with ${freedCount} ports: choose another adapter`,
  );
}

function unfinishedError(reason: string, name = "NotSupportedError"): DOMException {
  return new DOMException(`Cannot finish the kernel as ${reason}`, name);
}

/** How far the waves of a run have come. */
export function waveCounts(words: SharedWords, waveCount: number): WaveCounts {
  const begunCount = words.load(LiveWord.started);
  return { waveCount, begunCount, endedCount: words.load(LiveWord.finished) };
}
