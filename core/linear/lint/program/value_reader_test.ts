import { assertEquals } from "@std/assert";
import { checkedFile } from "../testdata/marked_source.ts";
import type { ts } from "./compiler.ts";

function kindOf(type: string): string {
  const file = checkedFile(
    'import type { Either, Maybe, OwnedPort, PartialPort, Present, SentPort } from "./linear/mod.ts";' +
      "class SentPorts {} interface Other { readonly present: boolean; readonly value: string }" +
      `let value: ${type};`,
  );
  const declared = file.source.statements.at(-1) as ts.VariableStatement;
  return file.reader.kindOf(file.typeAt(declared.declarationList.declarations[0]!)) ?? "";
}

Deno.test("ValueReader knows ports, and what may hold or promise one", () => {
  const expected: Readonly<Record<string, string>> = {
    "PartialPort<true>": "port",
    "OwnedPort<0> | SentPort<1>": "port",
    "PartialPort<true> | undefined": "port",
    "Promise<SentPort<0> | null>": "port",
    "Maybe<OwnedPort<0>>": "maybe",
    "Present<OwnedPort<0>>": "maybe",
    "Either<SentPort<0>, OwnedPort<1>>": "either",
    "PartialPort<true>[]": "",
    "Maybe<Disposable>": "",
    "PartialPort<true> | string": "",
    "Pick<OwnedPort<0>, 'use'>": "",
    "SentPorts": "",
    "Other": "",
    "any": "",
  };
  const found = Object.keys(expected).map((type) => [type, kindOf(type)]);
  assertEquals(Object.fromEntries(found), expected);
});
