import { assertEquals, assertThrows } from "@std/assert";
import { fnv1a } from "../declare/fnv1a.ts";
import * as kind from "../declare/kind.ts";
import { ServedObjects } from "./served_objects.ts";

const file = kind.handle("File");

Deno.test("ServedObjects.resolve() puts objects in the place of numbers", () => {
  const double = (value: number) => 2 * value;
  const objects = new ServedObjects({ callbacks: { double } });
  const handle = objects.handles.add("File", "a.txt");
  const parameters = [file, kind.i32, kind.nullable(file), kind.callback([], kind.nothing)];
  const values = [handle, handle, null, fnv1a("double")];
  objects.resolve(parameters, values);
  assertEquals(values, ["a.txt", handle, null, double] as unknown[] as typeof values);
  for (const name of ["constructor", "__proto__", "toString", "", "Double"]) {
    const call = () => objects.resolve([kind.callback([], kind.nothing)], [fnv1a(name)]);
    assertThrows(call, RangeError, "none of that name");
  }
});

Deno.test("ServedObjects.resolve() ends all handles of a call or none", () => {
  const objects = new ServedObjects({});
  const [one, other] = ["one", "other"].map((path) => objects.handles.add("File", path));
  const end = kind.ends("File");
  const resolve = (...values: unknown[]) => () =>
    objects.resolve(
      values.map((value, index) => value === 5 ? kind.i32 : index === 2 ? file : end),
      values,
    );
  assertThrows(resolve(one, one), RangeError, "Cannot end the handle of a File twice");
  assertThrows(resolve(one, 17), RangeError, "never was");
  assertThrows(resolve(one, 5, other! + 1), RangeError, "never was");
  assertEquals(objects.handles.count, 2);
  resolve(one, 5, one)(); // used and ended by one call
  resolve(other)();
  assertEquals(objects.handles.count, 0);
});

Deno.test("ServedObjects checks its limits, and that callbacks differ", () => {
  for (const limitBytes of [NaN, -1, "1" as unknown as number]) {
    assertThrows(() => new ServedObjects({ limitBytes }), RangeError, "limitBytes");
  }
  assertThrows(() => new ServedObjects({ handlesMax: -1 }), RangeError, "handlesMax");
  // Two texts of one hash.
  assertEquals(fnv1a("costarring"), fnv1a("liquid"));
  const callbacks = { costarring: () => {}, liquid: () => {} };
  assertThrows(() => new ServedObjects({ callbacks }), RangeError, "another has its hash: rename");
});
