import { assertEquals } from "@std/assert";
import { checkedFile } from "../testdata/marked_source.ts";
import type { ts } from "../program/compiler.ts";

/** What values of a type are, in words. */
function readingOf(type: string): string {
  const file = checkedFile(
    'import type { Either, Maybe, OwnedPort, PartialPort, Present, SentPort } from "./linear/mod.ts";' +
      "class SentPorts {} interface Other { readonly present: boolean; readonly value: string }" +
      `let value: ${type};`,
  );
  const declared = file.source.statements.at(-1) as ts.VariableStatement;
  const value = file.reader.valueOf(file.typeAt(declared.declarationList.declarations[0]!));
  return value ? `${value.kind}${"isNullable" in value && value.isNullable ? "?" : ""}` : "";
}

Deno.test("ValueReader knows ports, what may hold one, and what has many", () => {
  const expected: Readonly<Record<string, string>> = {
    "PartialPort<true>": "port",
    "OwnedPort<0> | SentPort<1>": "port",
    "PartialPort<true> | undefined": "port?",
    "Promise<SentPort<0> | null>": "port?",
    "Maybe<OwnedPort<0>>": "maybe",
    "Present<OwnedPort<0>>": "maybe",
    "Either<SentPort<0>, OwnedPort<1>>": "either",
    "PartialPort<true>[]": "list",
    "Map<string, PartialPort<true>>": "list",
    "Disposable": "disposable",
    "Maybe<Disposable>": "",
    "PartialPort<true> | string": "",
    "Pick<OwnedPort<0>, 'use'>": "",
    "SentPorts": "",
    "Other": "",
    "any": "",
  };
  const found = Object.keys(expected).map((type) => [type, readingOf(type)]);
  assertEquals(Object.fromEntries(found), expected);
});
