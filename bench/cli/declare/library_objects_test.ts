import { assertEquals } from "@std/assert";
import { declareHeader } from "./declare_header.ts";
import { readHeader } from "./read_header.ts";
import { declared } from "./testdata/declared.ts";

/** Structs of numbers, each with what the library does with it. */
const TYPES =
  `typedef struct { int type; size_t count; } json; typedef union { long id; char room[32]; } stream;
typedef struct { int x; } snap; typedef struct { int y; } place; struct tm { int hour; };
json *json_integer(long value); stream *stream_make(void); int snap_take(snap **made); void snap_free(snap *s);
int place_of(place **at); struct tm *local_time(const long *at);`;

Deno.test("makerOf() has what the library makes as a handle everywhere, unless told otherwise", async () => {
  const cases: readonly (readonly [one: string, said: string, ...copied: string[]])[] = [
    ["size_t json_size(const json *j)", "(Handle<json>) -> usize"],
    ["int json_add(json *to, json *one)", "(Handle<json>, Handle<json>) -> i32"],
    ["void json_delete(json *j)", "(ends Handle<json>) -> void"],
    ["int stream_set(stream *s, int level)", "(Handle<stream>, i32) -> i32"],
    ["int stream_freeStream(stream *s)", "(ends Handle<stream>) -> i32"],
    ["int snap_look(snap *s)", "(Handle<snap>) -> i32"],
    ["void snap_close(snap *s)", "(ends Handle<snap>) -> void"],
    ["int place_set(const place *at)", "(in *{ y: i32 }) -> i32"],
    ["json by_value(json j)", "({ type: i32, count: usize }) -> { type: i32, count: usize }"],
    ["long make_time(struct tm *at)", "(Handle<tm>) -> i64"],
    ["long make_time(struct tm *at)", "(inout *{ hour: i32 }) -> i64", "tm"],
  ];
  for (const [one, said, ...copied] of cases) {
    assertEquals((await declared(TYPES, one, { copied }))[0], said, one);
  }
});

Deno.test("makerOf() is a guess that is listed once, with the way to say otherwise", () => {
  const text =
    `# 1 "lib.h"\ntypedef unsigned long size_t;\n${TYPES}\nint json_a(json *a, json *b);\n`;
  const { guesses } = declareHeader(readHeader(text, () => true), { name: "lib", importFrom: "x" });
  assertEquals(guesses.filter((guess) => guess.includes("--copied")), [
    "a snap is the library's own, by snap_free: --copied snap has callers make it",
    "a json is the library's own, by json_integer: --copied json has callers make it",
  ]);
});

Deno.test("freedMemory() is what a function frees, and none that callers have made or may not free", async () => {
  const makers =
    "void *na_malloc(size_t bytes); const void *na_blob(void); typedef struct tree *tree_t; tree_t tree_make(void);";
  const free = `${makers} void na_free(void *piece);`;
  const cases: readonly (readonly [types: string, one: string, said: string])[] = [
    [makers, "void na_free(void *piece)", "(ends Handle<LibraryMemory>) -> void"],
    [makers, "void na_freeBlock(double *piece)", "(ends Handle<LibraryMemory>) -> void"],
    [
      makers,
      "void mem_free(tree_t t, void *p)",
      "(Handle<tree>, ends Handle<LibraryMemory>) -> void",
    ],
    [
      makers,
      "void tree_release(tree_t t, void *p)",
      "(ends Handle<tree>, Handle<Memory>) -> void",
    ],
    [
      free,
      "void *na_more(void *piece)",
      "(Handle<Memory|LibraryMemory>) -> Handle<LibraryMemory> or null",
    ],
    [free, "const void *na_at(int row)", "(i32) -> Handle<Memory> or null"],
    [free, "int na_out(void **made)", "(inout *{ value: Handle<LibraryMemory> or null }) -> i32"],
    ["", "void na_free(void *piece)", "(ends Handle<LibraryMemory>) -> void"],
    [
      "",
      "void na_free_all(struct tree *t, void *p)",
      "(Handle<tree>, ends Handle<LibraryMemory>) -> void",
    ],
    ["", "void na_end(void *state)", "(Handle<Memory>) -> void"],
    [
      "",
      "void *na_realloc(void *piece, size_t size)",
      "(ends Handle<LibraryMemory>, usize) -> Handle<LibraryMemory> or null",
    ],
    ["", "void na_free(char *text)", "(ends Handle<Text>) -> void"],
    ["", "int na_delete(const char *path)", "(string) -> i32"],
    [
      "struct tree; void tree_free(struct tree *, const char *why);",
      "void tree_free(struct tree *t, const char *why)",
      "(ends Handle<tree>, string) -> void",
    ],
  ];
  for (const [types, one, said] of cases) assertEquals((await declared(types, one))[0], said, one);
  assertEquals((await declared(makers, "void na_free(void *piece)")).slice(1), [
    " ends the handle of a LibraryMemory, by its name",
  ]);
});

Deno.test("no memory is null but what --nullable names, and the data of a callback, which is listed", async () => {
  const types = "typedef int (*visit)(void *data); struct z { char *next; };";
  const cases: readonly (readonly [one: string, nullable: string, said: string])[] = [
    ["int init(struct z *s, void *p)", "", "(Handle<Memory|z>, Handle<Memory>) -> i32"],
    ["int init(struct z *s, void *p)", "z", "(Handle<Memory|z> or null, Handle<Memory>) -> i32"],
    [
      "int init(struct z *s, void *p)",
      "Memory",
      "(Handle<Memory|z>, Handle<Memory> or null) -> i32",
    ],
    [
      "int init(struct z *s, void *p)",
      "init",
      "(Handle<Memory|z> or null, Handle<Memory> or null) -> i32",
    ],
    [
      "int walk(void *at, int flags, visit each, void *data)",
      "",
      "(Handle<Memory>, i32, (usize) => i32 or null, Handle<Memory> or null) -> i32",
    ],
  ];
  for (const [one, name, said] of cases) {
    assertEquals((await declared(types, one, { nullable: [name] }))[0], said, one);
  }
  assertEquals((await declared(types, cases[4]![0])).slice(1), [
    ": data goes to the callback alone, and may be null",
  ]);
});

Deno.test("no function is declared that would free the copy that a call sends", async () => {
  const types =
    "struct tree; struct pair { int a; const char *b; }; typedef struct pair pair; int keep(void);";
  const freeing = [
    "void lib_free_filename(const char *name)",
    "void lib_free_table(char **table)",
    "void tree_destroy(struct tree **made)",
    "void pair_release(pair *one)",
    "int lib_free(const int *numbers, size_t numbersSize)",
  ];
  for (const one of freeing) {
    const text = `# 1 "lib.h"\ntypedef unsigned long size_t;\n${types}\n${one};\n`;
    const { module, unsaid } = declareHeader(readHeader(text, () => true), {
      name: "lib",
      importFrom: "x",
    });
    assertEquals([
      module.includes("keep: fn"),
      module.includes(": fn", module.indexOf("keep: fn") + 8),
    ], [
      true,
      false,
    ], one);
    assertEquals(unsaid.length === 1 && unsaid[0]!.includes("which is a copy"), true, one);
  }
  assertEquals(
    await declared("struct image { char *rows; };", "void image_free(struct image *i)"),
    [
      "(Handle<Memory|image>) -> void",
      ": it frees what is in i, and not that itself",
    ],
  );
  // A text that C writes the place of is read at once: that place may be in what the call sent.
  const said = "(string, inout *{ value: string or null }) -> i32";
  assertEquals(await declared(types, "int parse(const char *all, const char **rest)"), [
    said,
    ": rest is at one text, up to its NUL, or null",
  ]);
});
