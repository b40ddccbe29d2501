import { assertEquals } from "@std/assert";
import { Types } from "../../text/inference.ts";
import { Module } from "../../text/module.ts";
import { partPointer } from "./part_pointer.ts";

const OUTSIDE = `struct S { at: vec3f, ids: array<u32, 4> }
alias P = ptr<function, u32>;
fn one(p: P) { *p = 1u; }
fn vector(p: ptr<function, vec3f>) {}
fn whole(p: ptr<function, S>, q: ptr<function, array<u32, 4>>) {}
var<private> shared_s: S;
fn private_one(p: ptr<private, u32>) {}
fn f(pp: ptr<function, S>) { var s: S; var a: array<u32, 4>; var v = vec3f(); var x = 1u; `;

/** Deno 2.9.6 ends at those with a mark, before an argument; the others work. */
const CALLS: readonly string[] = [
  "one(§&a[x]);",
  "one(§&s.ids[1]);",
  "one(§(&(a[1])));",
  "vector(§&pp.at);",
  "vector(§&(*pp).at);",
  "whole(&s, §&s.ids);",
  "let p = &a[x]; one(§p);",
  "let p = &s; let q = &p.ids; let r = q; whole(p, §r);",
  "private_one(§&shared_s.ids[2]);",
  "let p = &a[x]; *p = 1u; x = *p;",
  "one(&x); one(&*&x); let p = &x; let q = p; one(q); one((&(x)));",
  "whole(pp, &a); whole(&*pp, &a);",
  "let p = &x; { let p = &s.ids[0]; } one(p);",
];

Deno.test({
  name: "partPointer() finds what ends Deno's process",
  ignore: navigator.gpu.wgslLanguageFeatures?.has("unrestricted_pointer_parameters") ?? false,
  fn() {
    for (const marked of CALLS) {
      const found = partPointer(new Types(new Module(`${OUTSIDE}${marked.replace("§", "")} }`)));
      const at = marked.indexOf("§");
      assertEquals(found?.start, at < 0 ? undefined : OUTSIDE.length + at, marked);
    }
  },
});
