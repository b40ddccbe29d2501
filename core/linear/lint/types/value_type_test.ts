import { assertEquals } from "@std/assert";
import { isCheck, lent, linearType } from "./value_type.ts";

Deno.test("lent() says of linear values alone that somebody else sees to their end", () => {
  assertEquals(lent(linearType("port")), { ...linearType("port"), isLoan: true });
  assertEquals(lent(linearType("port"), false), linearType("port"));
  assertEquals(lent({ kind: "list" }), { kind: "list" });
});

Deno.test("isCheck() knows what a Maybe and an Either are asked by", () => {
  const asked = (["maybe", "either", "port"] as const).map((kind) =>
    ["present", "arrived"].filter((name) => isCheck(linearType(kind), name))
  );
  assertEquals(asked, [["present"], ["arrived"], []]);
});
