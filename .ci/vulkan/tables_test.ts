import { assert, assertEquals, assertThrows } from "@std/assert";
import * as tables from "../../core/gpu/live/vulkan/vulkan_tables.ts";
import { compileNative, compilerProblem } from "../../scenarios/native/native_library.ts";
import { Registry } from "./registry.ts";
import { tablesOf } from "./tables.ts";

const REGISTRY_FILE = "/usr/share/vulkan/registry/vk.xml";
const TABLES_FILE = new URL("../../core/gpu/live/vulkan/vulkan_tables.ts", import.meta.url);

function fileObstacle(path: string): string | undefined {
  try {
    Deno.statSync(path);
    return undefined;
  } catch {
    return `there is no ${path}: the Debian package libvulkan-dev has it`;
  }
}

function named(name: string, obstacle: string | undefined) {
  const isAbsent = obstacle !== undefined;
  return { name: isAbsent ? `${name} (${obstacle})` : name, ignore: isAbsent };
}

const registryObstacle = fileObstacle(REGISTRY_FILE);

Deno.test({
  ...named("the tables are what the registry says", registryObstacle),
  fn() {
    // What is there never changes with a version; results may be added.
    const [written, made] = [
      Deno.readTextFileSync(TABLES_FILE),
      tablesOf(new Registry(Deno.readTextFileSync(REGISTRY_FILE))),
    ].map((text) => text.split("/** Names of `VkResult`. */"));
    assertEquals(written![0], made![0], "run .ci/vulkan/main.ts");
    const results = new Set(made![1]!.split("\n"));
    assertEquals(written![1]!.split("\n").filter((line) => !results.has(line)), []);
  },
});

/** A program of C whose `check` returns how many of the tables' numbers are others there. */
function checkInC(): { readonly text: string; readonly count: number } {
  const pairs: (readonly [string, number])[] = [
    ...Object.entries(tables.CONSTANTS),
    ...Object.entries(tables.RESULT_NAMES).map(([number, name]) => [name, Number(number)] as const),
  ];
  for (const [name, { bytes, fields, ...rest }] of Object.entries(tables.STRUCTURES)) {
    pairs.push([`sizeof(${name})`, bytes]);
    if ("type" in rest) pairs.push([`TYPE_OF_${name}`, rest.type]);
    for (const [field, [byte, kind, count = 1]] of Object.entries(fields)) {
      const unit = kind in tables.STRUCTURES
        ? tables.STRUCTURES[kind as keyof typeof tables.STRUCTURES].bytes
        : Number(kind.slice(1)) / 8;
      pairs.push([`offsetof(${name}, ${field})`, byte]);
      pairs.push([`sizeof(((${name} *)0)->${field})`, unit * count]);
    }
  }
  const types = Object.keys(tables.STRUCTURES).map((name) =>
    `#define TYPE_OF_${name} VK_STRUCTURE_TYPE_${typeName(name)}`
  );
  const checks = pairs.map(([expression, value]) =>
    `  if ((long long)(${expression}) != ${value}LL) { wrong++; puts(${
      JSON.stringify(expression)
    }); }`
  );
  const lines = [
    "#include <stddef.h>\n#include <stdio.h>\n#include <vulkan/vulkan.h>",
    ...types,
    "unsigned check(void) {\n  unsigned wrong = 0;",
    ...checks,
    "  return wrong;\n}\n",
  ];
  return { text: lines.join("\n"), count: pairs.length };
}

/** `IMPORT_MEMORY_HOST_POINTER_INFO_EXT` of `VkImportMemoryHostPointerInfoEXT`. */
function typeName(name: string): string {
  return name.slice(2).replace(/(?<=[a-z])(?=[A-Z])|(?<=[a-z])(?=\d)/g, "_").toUpperCase();
}

Deno.test({
  ...named(
    "C lays out every structure as the tables say, and has their numbers",
    compilerProblem() ?? fileObstacle("/usr/include/vulkan/vulkan.h"),
  ),
  async fn() {
    const { text, count } = checkInC();
    await using compiled = await compileNative(text);
    const library = Deno.dlopen(compiled.path, { check: { parameters: [], result: "u32" } });
    const wrong = library.symbols.check();
    library.close();
    assertEquals(wrong, 0);
    assert(count > 400, `${count} numbers`);
  },
});

Deno.test({
  ...named("tablesOf() wants fields that a structure has", registryObstacle),
  fn() {
    const text = Deno.readTextFileSync(REGISTRY_FILE).replaceAll("timestampPeriod", "period");
    assertThrows(() => tablesOf(new Registry(text)), Error, "no field timestampPeriod");
  },
});
