import { assertEquals } from "@std/assert";
import * as kind from "../declare/kind.ts";
import { declared } from "../testdata/served.ts";
import {
  counted,
  joinParts,
  NO_PART,
  NULL_COUNTED,
  nullPart,
  textStruct,
} from "./request_parts.ts";

const { bytes, i32, pointer, string } = kind;
const point = kind.struct({ x: kind.u8, y: kind.u8 });

Deno.test("joinParts() puts words, structs behind their flags, and payloads filled up to slots", () => {
  const maybe = kind.nullable(pointer("in", point));
  const target = declared([maybe, kind.constant(i32, 1), string, bytes("out"), kind.i64]);
  const parts = [
    { low: 1, struct: Uint8Array.of(5, 6) },
    NO_PART,
    counted(Uint8Array.of(7, 8, 9)),
    counted(new Uint8Array(300), false),
    { low: 3, high: 4 },
  ];
  const words = new Uint32Array(joinParts(target, 11, parts).buffer);
  assertEquals([...words], [11, 0, 1, 0, 0x0605, 0, 3, 0, 300, 0, 3, 4, 0x090807, 0]);
});

Deno.test("nullPart() says of what has a length that there is none, and textStruct() which structs go with texts", () => {
  const pointers = [bytes("in"), string, kind.handle("F"), pointer("in", point)];
  assertEquals(pointers.map(nullPart), [NULL_COUNTED, NULL_COUNTED, NO_PART, NO_PART]);
  const named = kind.struct({ name: string });
  const structs = [named, pointer("inout", named), pointer("out", named), point, i32];
  assertEquals(structs.map(textStruct), [named, named, undefined, undefined, undefined]);
});
