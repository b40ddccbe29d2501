import { assertEquals, assertNotEquals } from "@std/assert";
import * as flow from "./.ci/tidy/flow_rules.ts";
import * as globals from "./.ci/tidy/global_rules.ts";
import * as names from "./.ci/tidy/name_rules.ts";
import * as notebooks from "./.ci/tidy/notebook_rules.ts";
import * as shape from "./.ci/tidy/shape_rules.ts";
import * as texts from "./.ci/tidy/text_rules.ts";
import * as weight from "./.ci/tidy/weight_rules.ts";
import { readSources, type Rule, type Source } from "./.ci/tidy/source.ts";

const sources = readSources(new URL(".", import.meta.url));
const paths = new Set(sources.map(({ path }) => path));

/** Joined here, so that this file does not itself hold what it looks for. */
const npm = "np" + "m:";

function cell(source: string, outputs: readonly unknown[] = []): string {
  const cells = [{ cell_type: "code", metadata: {}, source: [source], outputs }];
  return JSON.stringify({ nbformat: 4, cells });
}

/** A rule that sees a folder of many more files, beside those that there are. */
function inFolder(fileCount: number, rule: Rule): Rule {
  const crowd = Array.from({ length: fileCount }, (_, index) => `core/crowd/a${index}.ts`);
  return (source, all) => rule(source, new Set([...all, ...crowd]));
}

/** Each rule with files that break it: a check that cannot fail proves nothing. */
const RULES: readonly (readonly [name: string, rule: Rule, offenders: Record<string, string>])[] = [
  ["imports point upstream", flow.importsPointUpstream, {
    "core/port.ts": 'import { x } from "../scenarios/round_trip.ts";',
    "core/gpu/device.ts": 'export * from "../../bench/sweep.ts";',
    "scenarios/axis.ts": 'const { x } = await import("../bench/sweep.ts");',
    "bench/sweep.ts": 'type Row = import("../results/table.ts").Row;',
    "scenarios/spawn.ts": 'new Worker(new URL("../bench/spin_worker.ts", import.meta.url));',
    "core/gpu/kernel.ts": 'import s from "../../scenarios/k.wgsl" with { type: "text" };',
    "core/boot.ts": 'import.meta.resolve("../results/load.ts");',
  }],
  ["imports make no circle", flow.importsMakeNoCircle(sources), {
    "core/wait/hint.ts": 'export { x } from "./hint.ts";',
    "core/linear/lint/flow/state.ts": 'import { type A, b } from "./path.ts";',
  }],
  ["the folders of core build on each other", flow.coreFoldersBuildOnEachOther, {
    "core/memory/packet.ts": 'import type { ChannelLayout } from "../toggle/layout.ts";',
    "core/wait/hint.ts": 'import { Mailboxes } from "../toggle/mailbox.ts";',
    "core/call/stream.ts": 'import type { Client } from "../toggle/client/client.ts";',
    "core/one_packet/packet_client.ts": 'import { Client } from "../four_phase/client/client.ts";',
    "core/toggle/channel.ts": 'new Worker(new URL("../worker/server_worker.ts", import.meta.url));',
    "core/four_phase/client.ts": 'import { ownsBuffer } from "../toggle/side.ts";',
    "core/services/serve_host.ts": 'import { oneThread } from "../testing/fixtures/one_thread.ts";',
    "core/services/stdio/print_formatted.ts": 'import { x } from "../../gpu/print/with_printf.ts";',
    "core/worker/start_server.ts": 'import type { Api } from "../signature/declare/api.ts";',
    "core/linear/move.ts": 'import { Client } from "../mod.ts";',
    "core/nowhere/a.ts": "",
    "core/mod.ts": 'export * from "./testing/random.ts";',
  }],
  ["the root mod.ts is for outsiders", flow.surfaceIsForOutsiders, {
    "results/load.ts": 'import { x } from "../mod.ts";',
    "core/gpu/epoch.ts": 'import { x } from "../../mod.ts";',
  }],
  ["notebooks use the surface", flow.notebooksUseTheSurface, {
    "notebooks/runner/kernel.ts": 'import { x } from "../../core/mod.ts";',
    "notebooks/notebooks_test.ts": 'import { x } from "../results/load.ts";',
  }],
  ["core imports no package", flow.coreImportsNoPackage, {
    "core/port.ts": 'import { delay } from "@std/async";',
    "core/wait.ts": `await import("${npm}x@1.0.0");`,
  }],
  ["packages are pinned", flow.packagesArePinned, {
    "deno.json": `{ "imports": { "x": "${npm}x@^1.0.0" } }`,
    "results/load.ts": `import x from "${npm}x";`,
    "results/table.ts": `import x from "${npm}@scope/x@1.2/sub";`,
  }],
  ["Atomics stay in the seam", globals.atomicsStayInTheSeam, {
    "core/port.ts": "Atomics.load(words, 0);",
    "scenarios/round_trip.ts": "const { load } = Atomics;",
  }],
  ["Atomics say why", globals.atomicsSayWhy, {
    "core/memory/words.ts": "// Loads a word.\nAtomics.load(words, 0);",
    "core/wait/strategy.ts": `// Sync: too far above.${"\n".repeat(40)}Atomics.load(words, 0);`,
  }],
  ["core runs anywhere", globals.coreRunsAnywhere, {
    "core/port.ts": "Deno.cwd();",
    "core/services/file.ts": "globalThis.Deno;",
  }],
  ["workers start in one way", globals.workersStartInOneWay, {
    "scenarios/spawn.ts": 'const worker = new Worker("x.ts");',
  }],
  ["only programs print", globals.onlyProgramsPrint, { "bench/sweep.ts": "console.log(1);" }],
  ["scenarios hold no clock", globals.scenariosHoldNoClock, {
    "scenarios/round_trip.ts": "performance.now();",
    "scenarios/layout_cost.ts": "Date.now();",
  }],
  ["file names say the concept", shape.fileNamesSayTheConcept, {
    "core/laneMask.ts": "",
    "core/lane-mask.ts": "",
    "results/utils.ts": "",
    "bench/helpers.ts": "",
    "core/gpu/types.ts": "",
    "core/common.wgsl": "",
  }],
  ["the top level holds the layout", shape.topLevelHoldsTheLayout, {
    "notes.md": "",
    "tools/x.ts": "",
  }],
  [
    "protocols have the same files",
    shape.protocolsHaveTheSameFiles([...flow.PROTOCOLS, "nowhere"]),
    {
      "core/nowhere/client/client.ts": "",
      "core/nowhere/PROTOCOL.md": "",
      "core/somewhere/PROTOCOL.md": "",
    },
  ],
  ["folders stay small", inFolder(25, shape.foldersStaySmall), { "core/crowd/a0.ts": "" }],
  ["nothing grows too long", shape.nothingGrowsTooLong, {
    "core/port.ts": "\n".repeat(401),
    "core/gpu/port.wgsl": "\n".repeat(401),
    "core/client.ts": `function f() {${"\n".repeat(70)}}`,
  }],
  ["rooms keep their budgets", weight.roomsKeepTheirBudgets(sources), {
    "core/gwht/a_new_part.ts": "\n".repeat(1000),
    "core/gwht/a_new_part_test.ts": "\n".repeat(1000),
    "core/a_new_room/a.ts": "",
  }],
  ["arguments are named", shape.argumentsAreNamed, {
    "core/layout.ts": "export function f(a: 1, b: 2, c: 3, d: 4) {}",
  }],
  ["the language stays small", shape.languageStaysSmall, {
    "core/opcode.ts": "enum Opcode { noop }",
    "core/port.ts": "class Port { private index = 0; }",
    "core/client.ts": "class Client { constructor(private index: number) {} }",
    "core/server.ts": "class Server { private serve() {} }",
    "core/mod.ts": "export default 1;",
    "core/wait.ts": "const spin = () => {};",
    "core/words.ts": "export const load = () => 1;",
  }],
  ["modules have tests beside", shape.modulesHaveTestsBeside, {
    "core/nowhere.ts": "export function f() {}",
    "results/nowhere.ts": "export class C { m() {} }",
  }],
  ["benches measure", shape.benchesMeasure, {
    "bench/slurm/testdata/simulated_bench.ts": "await writeRecords();",
    "bench/bench.ts": "",
  }],
  ["notebooks only tell", notebooks.notebooksOnlyTell, {
    "notebooks/01_a.ipynb": cell("function f() {}"),
    "notebooks/02_b.ipynb": cell("class C {}"),
    "notebooks/03_c.ipynb": cell("const f = () => 1;"),
    "notebooks/04_d.ipynb": cell('import { x } from "../core/mod.ts";'),
    "notebooks/05_e.ipynb": cell(`await import("${npm}x@1.0.0");`),
  }],
  ["notebooks carry their outputs", notebooks.notebooksCarryOutputs, {
    "notebooks/01_a.ipynb": cell("1;"),
    "notebooks/02_b.ipynb": '{ "nbformat": 4, "cells": [{ "cell_type": "code", "source": "", ' +
      '"metadata": { "tags": ["silent"] }, "outputs": [{}] }] }',
  }],
  ["comments name what there is", names.commentsNameWhatThereIs(sources), {
    "core/toggle/evict.ts": "// As Client.nothing() does.",
    "core/gpu/wgsl/port.wgsl": "// Mirrors Client.nothing.",
    "core/port.ts": "/** See {@linkcode NothingOf" + "ThatName}. */",
    "core/wait/hint.ts": "// After `nothingOf" + "ThatName`.",
    "core/wait/bell.ts": "// Calls nothing_of_" + "that_name().",
  }],
  ["texts are finished", texts.textIsFinished, {
    "README.md": ["fine", "TO" + "DO: explain"].join("\n"),
    "core/port.ts": "// only for n" + "ow",
    "results/raw/a.jsonl": '{"path":"/ro' + 'ot/x"}',
    "CHANGELOG.md": "Closes iss" + "ue 7",
    "deno.json": "https://deno.la" + "nd/x",
  }],
];

for (const [name, rule, offenders] of RULES) {
  Deno.test(`tidy: ${name}`, () => {
    const wrong = sources.flatMap((source) => rule(source, paths));
    assertEquals(wrong, []);
  });
  Deno.test(`tidy: ${name}, or the rule says so`, () => {
    const planted: Source[] = Object.entries(offenders).map(([path, text]) => ({ path, text }));
    for (const source of planted) assertNotEquals(rule(source, paths), [], source.path);
  });
}
