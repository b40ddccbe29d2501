import { assertEquals } from "@std/assert";
import { checkedFile } from "../testdata/marked_source.ts";
import {
  Func,
  isFunction,
  isLinear,
  isThing,
  List,
  Look,
  Native,
  Port,
  Unknown,
  type Value,
} from "./value.ts";

const NODE = checkedFile("a").source;
const VALUES: Readonly<Record<string, Value>> = {
  nothing: undefined,
  null: null,
  text: "a",
  unknown: new Unknown(),
  port: new Port(NODE, true),
  look: new Look("maybe", NODE, true),
  list: new List(),
  native: new Native(() => undefined as never),
  func: new Func({} as Func["node"], {} as Func["scope"]),
};

Deno.test("isThing(), isLinear() and isFunction() tell values apart", () => {
  const which = (isOne: (value: Value) => boolean) =>
    Object.keys(VALUES).filter((name) => isOne(VALUES[name]));
  assertEquals(which(isThing), ["unknown", "port", "look", "list", "native", "func"]);
  assertEquals(which(isLinear), ["port", "look"]);
  assertEquals(which(isFunction), ["native", "func"]);
});
