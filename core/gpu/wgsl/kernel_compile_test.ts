import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { tokensOf } from "../text/lexer.ts";
import { compileModuleWith, KernelCompileError, WGSL_NAMES } from "./kernel_compile.ts";
import { kernelSource } from "./kernel_source.ts";

/** The error of a kernel at a place of its module, of which a compiler says something. */
function errorOf(source: string, place: string, reason: string): Promise<KernelCompileError> {
  const module = kernelSource(source, { layout: channelLayout({ portCount: 1, laneCount: 1 }) });
  const lines = module.code.split("\n");
  const line = lines.findIndex((text) => text.includes(place)) + 1;
  const position = { line, column: lines[line - 1]!.indexOf(place) + 1 };
  const failing = () => Promise.resolve({ position, reason });
  return assertRejects(() => compileModuleWith(module, failing), KernelCompileError);
}

/** Names that the texts of these folders use; those that they declare anywhere are none of WGSL's. */
function usedNames(folders: readonly string[]): Set<string> {
  const [used, declared] = [new Set<string>(), new Set<string>()];
  for (const folder of folders) {
    const root = new URL(`${folder}/`, import.meta.url);
    for (const { name: file } of Deno.readDirSync(root)) {
      if (!file.endsWith(".wgsl")) continue;
      const tokens = tokensOf(Deno.readTextFileSync(new URL(file, root)));
      tokens.forEach(({ kind, text }, at) => {
        const before = tokens[at - 1]?.text ?? "";
        if (kind !== "name" || /^[.@]$/.test(before)) return;
        used.add(text);
        const isDeclared = /^(?:fn|struct|const|let|var|>)$/.test(before) ||
          tokens[at + 1]?.text === ":";
        if (isDeclared) declared.add(text);
      });
    }
  }
  return used.difference(declared);
}

Deno.test("the names of WGSL that the generated part uses are all known", () => {
  const used = usedNames([".", "../heap", "../one_dispatch", "../server", "../../signature/wgsl"]);
  const others = new Set(
    `break const continuing else false fn for if let loop private read read_write return storage struct true
    uniform var while workgroup operate serve run_step step_caller frame_load frame_save shared_load shared_save
    global_invocation_id local_invocation_index`.split(/\s+/),
  );
  const unknown = [...used].filter((name) =>
    !WGSL_NAMES.has(name) && !others.has(name) && !/^[A-Z]/.test(name)
  );
  assertEquals(unknown, []);
});

Deno.test("a name that nothing declares is compared with those that a kernel may use", async () => {
  const hints = [
    ["var a = 1u; a = lane_idx;", "`lane_idx`; did you mean lane_index"],
    [
      "_ = global_invocation_id.x;",
      "`global_invocation_id`; a kernel has lane_index, LANE_COUNT and wave_index",
    ],
    ["var total = 1u; print(); total = totl;", "`totl`; did you mean total"],
    ["heap_store_u32(16u, 1u);", "`heap_store_u32`; there are heap_word, heap_u8"],
    ["prnt();", "`prnt`; did you mean print; a function of the host is declared as"],
  ] as const;
  for (const [body, hint] of hints) {
    const [, name] = /^`(\w+)`/.exec(hint)!;
    const reason = `no definition in scope for identifier: \`${name}\``;
    const { message } = await errorOf(`fn kernel() {\n ${body} }`, name!, reason);
    assertStringIncludes(message, hint);
  }
});

Deno.test("names of the generated part are not told", async () => {
  const source = "fn kernel() {\n  let a = 1u; _ = a;\n  { let a = 2u; print(); }\n}";
  const told = "a_2 of step_kernel_3 is wrong, and max_2 is not";
  const { line, reason } = await errorOf(source, "a_2 = 2u", told);
  assertEquals([line, reason], [3, "a of kernel is wrong, and max_2 is not"]);
});
