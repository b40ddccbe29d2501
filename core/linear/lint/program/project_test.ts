import { assertEquals } from "@std/assert";
import { Project } from "./project.ts";

Deno.test("Project reads modules again that have changed, and keeps the others", () => {
  const texts = new Map([["/a.ts", 'import { b } from "./b.ts"; b;'], [
    "/b.ts",
    "export const b = 1;",
  ]]);
  const reads: string[] = [];
  const project = new Project({
    read: (name) => texts.get(name),
    resolve: (specifier) => (reads.push(specifier), specifier.slice(1)),
  });
  const typeOfB = () => {
    project.load(["/a.ts"]);
    const file = project.file("/b.ts")!;
    return file.source.text;
  };
  assertEquals(typeOfB(), "export const b = 1;");
  const readCount = reads.length;
  typeOfB();
  assertEquals(reads.length, readCount);
  texts.set("/b.ts", "export const b = 'two';");
  assertEquals([typeOfB(), project.file("/c.ts")], ["export const b = 'two';", undefined]);
});
