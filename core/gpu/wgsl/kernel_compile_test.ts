import { assertEquals } from "@std/assert";
import { tokensOf } from "../syntax/tokens.ts";
import { WGSL_NAMES } from "./kernel_compile.ts";

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
