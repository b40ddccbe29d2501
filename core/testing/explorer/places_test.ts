import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import { changedTexts, type CoreChanges, placeOf, readCore } from "./changed_core.ts";
import { FOR_CHANNEL_MODEL } from "../model/core_changes.ts";
import { PLANTED_DESIGN_FAULTS } from "../model/planted/design_faults.ts";
import { PLANTED_DISTURBED_FAULTS } from "../model/planted/disturbed_faults.ts";
import { PLANTED_FAULTS } from "../model/planted/session_faults.ts";
import { PLANTED_RACES } from "../model/planted/session_races.ts";
import { PLANTED_SLEEP_FAULTS, PLANTED_SLEEP_RACES } from "../model/planted/sleep_faults.ts";
import { lineChanges } from "../line_model/line_model.ts";
import { PLANTED_LINE_FAULTS } from "../line_model/planted_line_faults.ts";
import { FOUR_PHASE } from "../packet_model/four_phase_rules.ts";
import { GWHT } from "../packet_model/gwht_rules.ts";
import { PLANTED_PAGE_FAULTS } from "../one_page/planted_page_faults.ts";
import { packetLooks } from "../packet_model/packet_model.ts";
import { PACKET_STACKS } from "../packet_model/packet_stacks_rules.ts";
import { FOUR_PHASE_FAULTS } from "../packet_model/planted/four_phase_faults.ts";
import { GWHT_FAULTS } from "../packet_model/planted/gwht_faults.ts";
import { PACKET_STACKS_FAULTS } from "../packet_model/planted/packet_stacks_faults.ts";
import { PLANTED_RING_FAULTS } from "../ring_model/planted_ring_faults.ts";
import { RING_LOOKS } from "../ring_model/ring_model.ts";

/** All that models change: their looks, and each fault. */
const CHANGES: readonly CoreChanges[] = [
  { ...FOR_CHANNEL_MODEL, isSynchronous: true },
  ...[FOUR_PHASE, GWHT, PACKET_STACKS].map(({ looks }) => ({ looks })),
  ...[true, false].map((sleeps) => ({ looks: packetLooks({ sleeps }) })),
  { looks: RING_LOOKS },
  ...PLANTED_LINE_FAULTS.map((fault) => lineChanges(fault, [fault])),
  ...[
    ...PLANTED_DESIGN_FAULTS,
    ...PLANTED_DISTURBED_FAULTS,
    ...PLANTED_FAULTS,
    ...PLANTED_PAGE_FAULTS,
    ...PLANTED_RACES,
    ...PLANTED_SLEEP_FAULTS,
    ...PLANTED_SLEEP_RACES,
  ].map((fault) => ({ faults: [fault] })),
  ...[...FOUR_PHASE_FAULTS, ...GWHT_FAULTS, ...PACKET_STACKS_FAULTS, ...PLANTED_RING_FAULTS]
    .map((fault) => ({ faults: [fault, ...[fault.also ?? []].flat()] })),
];

const printer = ts.createPrinter({ removeComments: true });

/** The code without comments, in other lines with other indents. */
function reprinted(text: string): string {
  return printer.printFile(ts.createSourceFile("a.ts", text, ts.ScriptTarget.ESNext, true));
}

/** With another comment, and a line of its own, before each line that may begin with one. */
function withComments(text: string): string {
  return reprinted(text).replaceAll(/^( +)(?=[\w#])/gm, "$1// a comment: const b = 1;\n\n$1");
}

/** What says something of a text that was changed, in which nothing may be left of the layout. */
function said(text: string): string {
  return reprinted(text).replaceAll(/\s+/g, "");
}

Deno.test("faults and looks find their places whatever comments and layout the core has", async () => {
  const core = await readCore();
  for (const change of CHANGES) {
    const { faults = [], looks = [] } = change;
    const files = new Set([...faults, ...looks].map((one) => placeOf(one)[0]));
    const asIs = new Map([...files].map((file) => [file, core.get(file)!]));
    const other = new Map([...asIs].map(([file, text]) => [file, withComments(text)]));
    const expected = changedTexts(asIs, change);
    for (const [file, text] of changedTexts(other, change)) {
      assertEquals(said(text), said(expected.get(file)!), file);
    }
  }
  assert(CHANGES.length > 100, `only ${CHANGES.length} changes were tried`);
});
