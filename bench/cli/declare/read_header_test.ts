import { assertEquals } from "@std/assert";
import { readHeader } from "./read_header.ts";

Deno.test("readHeader() reads declarators inside out, and the functions of its own files only", () => {
  const text = `# 1 "other.h"
typedef struct { int bits : 3; } flags;
int others(void);
# 1 "own.h"
static int hidden(void);
const char *const *(*table[4])(double, ...), plain;
int f(int (*)(void *), short unsigned int n, char *argv[]);
`;
  const { functions, variables, structs, typedefs } = readHeader(text, (path) => path === "own.h");
  const base = (name: string) => ({ kind: "base", name }) as const;
  assertEquals(functions.map(({ name }) => name), ["f"]);
  assertEquals(functions[0]!.type.parameters.map(({ name, type }) => [name, type.kind]), [
    ["", "pointer"],
    ["n", "base"],
    ["argv", "array"],
  ]);
  assertEquals(functions[0]!.type.parameters[1]!.type, base("u16"));
  const [table, plain] = variables;
  assertEquals([table!.name, plain!.name, plain!.type], ["table", "plain", base("char")]);
  assertEquals(table!.type.kind, "array");
  assertEquals(typedefs.get("flags")?.kind, "struct");
  assertEquals([...structs.values()], [[{ name: "", type: base("bit field") }]]);
});

Deno.test("readHeader() says that fields are moved by packing and alignment, of the struct that is", () => {
  const { structs, functions } = readHeader(
    `struct plain { int a; } f(void) __attribute__((aligned(8)));
struct behind { char a; } __attribute__ ((__packed__));
struct __attribute__((aligned(16))) before { char a; };
struct within { char a; int b __attribute__((aligned((8)))); _Alignas(4) char c; };
#pragma pack(push, 1)
struct pushed { char a; };
#pragma pack(push, other2, 4)
#pragma pack(pop)
struct again { char a; };
#pragma pack(push)
#pragma pack()
struct reset { char a; };
#pragma pack(pop)
struct third { char a; };
#pragma pack(pop)
struct popped { char a; };
`,
    () => true,
  );
  const isMoved = ([tag, fields]: readonly [string, readonly { type: unknown }[]]) =>
    [tag, JSON.stringify(fields.at(-1)!.type).includes("packed")] as const;
  assertEquals(Object.fromEntries([...structs].map(isMoved)), {
    ...{ plain: false, behind: true, before: true, within: true, pushed: true, again: true },
    ...{ reset: false, third: true, popped: false },
  });
  assertEquals(functions.map(({ name }) => name), ["f"]);
});
