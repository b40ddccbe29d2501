/**
 * The command line that says how points moved over commits: `deno task history`.
 *
 * @module
 */
import { indexRecords } from "../../../results/load/record_index.ts";
import { HISTORY_MIN } from "../../../results/statistics/change_points.ts";
import { historyText } from "../../../results/report/runs/history.ts";
import { FAILED_EXIT, NO_INFORMATION_EXIT, tellAll, write } from "../command_line.ts";
import { runCommand } from "../options/command_options.ts";
import { countText } from "../../record/record.ts";

if (import.meta.main) {
  const command = {
    usage: ["deno task history [options] FOLDER"],
    words: [1, 1],
    does:
      `Reads all records of a folder, those of folders within it too, and says of each point how it moved over
commits, each machine by itself: the commit from which on a call takes longer or less. An index beside
the records, FOLDER/history_index.json, keeps what was read: only new and changed files are read again.`,
    options: {
      filter: { value: "TEXT", help: "only points whose scenario and id contain TEXT" },
      changed: { help: "only points that changed" },
    },
    ends:
      `It ends with 0, with 1 when a point takes longer since its last change, with 2 when nothing was read,
and with 3 when no point has a history.`,
  } as const;
  Deno.exit(
    await runCommand(command, ({ given, rest: [folder] }) => tell(folder!, given)),
  );
}

async function tell(
  folder: string,
  { filter, changed }: { readonly filter: string | undefined; readonly changed: boolean },
): Promise<number> {
  write(Deno.stderr, `Reading what is new in ${folder} ...\n`);
  const { histories, notes } = await indexRecords(folder, {
    ...filter !== undefined && { filter },
  });
  tellAll(notes);
  const told = changed ? histories.filter(({ changes }) => changes.length > 0) : histories;
  write(Deno.stdout, told.map((history) => `${historyText(history)}\n`).join(""));
  const worse = histories.filter(({ changes }) => (changes.at(-1)?.ratio ?? 0) > 1);
  if (histories.length === 0) {
    tellAll([`No point has ${HISTORY_MIN} runs on one machine, which a history needs`]);
    return NO_INFORMATION_EXIT;
  }
  write(
    Deno.stderr,
    `${countText(histories.length, "point")} with a history, ${worse.length} take longer\n` +
      `Next: deno task report ${folder} draws what moved\n`,
  );
  return worse.length > 0 ? FAILED_EXIT : 0;
}
