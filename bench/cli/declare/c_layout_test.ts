import { assertEquals } from "@std/assert";
import { layoutText, resolved } from "./c_layout.ts";
import { type CType, readHeader } from "./read_header.ts";

const header = readHeader(
  `typedef unsigned short half;
struct inner { char c; half h[3]; };
struct outer { struct inner one, two; union { int i; char t[9]; } u; double (*f)(int); long double l; };
struct told { struct inner one[2]; char *p; };
struct hidden { struct nowhere n; };`,
  () => true,
);

Deno.test("layoutText() has the places that a C compiler gives, where the header tells them", () => {
  assertEquals(layoutText(header, { kind: "struct", tag: "inner" }), "8 bytes: c at 0, h at 2");
  assertEquals(layoutText(header, { kind: "struct", tag: "told" }), "24 bytes: one at 0, p at 16");
  for (const tag of ["hidden", "outer", "nowhere"]) {
    assertEquals(layoutText(header, { kind: "struct", tag }), undefined);
  }
});

Deno.test("resolved() ends where names go in circles", () => {
  const b = { kind: "base", name: "b" } as const;
  const a = { kind: "base", name: "a" } as const;
  assertEquals(
    resolved({ typedefs: new Map<string, CType>([["a", b], ["b", a]]) }, a).kind,
    "base",
  );
  assertEquals(resolved(header, { kind: "base", name: "half" }), { kind: "base", name: "u16" });
});
