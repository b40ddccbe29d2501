import { assertEquals } from "@std/assert";
import { declared } from "./testdata/declared.ts";

Deno.test("lengthIndex() finds lengths wherever they stand, and lists each guess", async () => {
  const cases: readonly (readonly [one: string, ...said: string[]])[] = [
    [
      "int lz(const char *src, char *dst, int srcSize, int dstCapacity)",
      "(in bytes[#2], inout bytes[#3], i32, i32) -> i32",
      ": srcSize says how long src is, by its name",
      ": dstCapacity says how long dst is, by its name",
    ],
    [
      "int back(const char *src, char *dst, int compressedSize, int dstCapacity)",
      "(in bytes[#2], inout bytes[#3], i32, i32) -> i32",
      ": compressedSize says how long src is, by its name",
      ": dstCapacity says how long dst is, by its name",
    ],
    [
      "int prepare(const char *zSql, int nByte)",
      "(in bytes[#1], i32) -> i32",
      ": nByte says how long zSql is, by its name",
    ],
    [
      "int set(const void *pKey, int flags, int nKey)",
      "(in bytes[#2], i32, i32) -> i32",
      ": nKey says how long pKey is, by its name",
      ": pKey is not kept: else --kept set takes memory, which stays",
    ],
    [
      "int name_it(const char *path, int maxCount)",
      "(string, i32) -> i32",
      ": path is a text up to its NUL, and maxCount not its length",
    ],
    [
      "int look(const void *, size_t)",
      "(in bytes[#1], usize) -> i32",
      ": argument 1 says how long argument 0 is, by its type",
    ],
    [
      "int code(const unsigned char *in, size_t in_size, unsigned char *out, size_t *out_pos, size_t out_size)",
      "(in bytes[#1], usize, inout bytes[#4], inout *{ value: usize }, usize) -> i32",
      ": in_size says how long in is, by its name",
      ": out_size says how long out is, by its name",
      ": out_pos is at one size_t, and at no array",
    ],
    [
      "int brotli(size_t input_size, const unsigned char input_buffer[])",
      "(usize, in bytes[#0]) -> i32",
      ": input_size says how long input_buffer is, by its name",
    ],
    [
      "int say(int code, unsigned char *, size_t)",
      "(i32, inout bytes[#2], usize) -> i32",
      ": argument 2 says how long argument 1 is, by its type",
    ],
    [
      "int fill_it(unsigned char *, size_t *)",
      "(inout bytes[#1.value], inout *{ value: usize }) -> i32",
      ": argument 1 says how long argument 0 is, by its type",
      ": a pointer is at one size_t, and at no array",
    ],
    [
      "int one(uint8_t *byte)",
      "(Handle<Memory>) -> i32",
      ": nothing says how long byte is: it is memory, which has to be long enough",
    ],
    ["void three(double at[3], const char *label)", "(inout bytes[24], string) -> void"],
  ];
  for (const [one, ...said] of cases) {
    assertEquals<readonly string[]>(await declared("", one), said, one);
  }
});

Deno.test("isEnding() knows what takes away what is opaque, by the type's name, and ends them by the function's", async () => {
  const types =
    `typedef void ZFILE; typedef void *conv; typedef conv conv_t; typedef void *place; typedef void *my_voidp; my_voidp user_data(void); typedef double pair[2];
ZFILE *z_open(const char *path); conv_t conv_open(void); typedef struct tree *tree_t; typedef struct node *node_t;
tree_t tree_make(void); node_t node_make(void);`;
  const cases: readonly (readonly [one: string, said: string])[] = [
    ["ZFILE *z_again(ZFILE *z)", "(Handle<ZFILE>) -> Handle<ZFILE> or null"],
    ["void z_close(ZFILE *z)", "(ends Handle<ZFILE>) -> void"],
    [
      "void z_read_close(int *error, ZFILE *z)",
      "(inout *{ value: i32 }, ends Handle<ZFILE>) -> void",
    ],
    ["int conv_close(conv_t c)", "(ends Handle<conv>) -> i32"],
    ["int conv_make(conv_t *made)", "(inout *{ value: Handle<conv> or null }) -> i32"],
    ["int fill(place where)", "(Handle<Memory>) -> i32"],
    ["void set_data(my_voidp data)", "(Handle<Memory>) -> void"],
    ["int plan(int n, pair *in)", "(i32, Handle<Memory>) -> i32"],
    ["void z_append(ZFILE *z)", "(Handle<ZFILE>) -> void"],
    ["void z_send(ZFILE *z)", "(Handle<ZFILE>) -> void"],
    ["void z_end(ZFILE *z)", "(ends Handle<ZFILE>) -> void"],
    ["void z_write_end(ZFILE *z, int last)", "(Handle<ZFILE>, i32) -> void"],
    ["void zEnd(ZFILE *z)", "(ends Handle<ZFILE>) -> void"],
    ["void z_finalize_v2(ZFILE *z)", "(ends Handle<ZFILE>) -> void"],
    ["void node_free(tree_t t, node_t n)", "(Handle<tree>, ends Handle<node>) -> void"],
    [
      "void mem_free(tree_t t, void *piece)",
      "(Handle<tree>, ends Handle<LibraryMemory>) -> void",
    ],
    [
      "void tree_release(tree_t t, void *data)",
      "(ends Handle<tree>, Handle<Memory>) -> void",
    ],
    ["void both_free(tree_t t, node_t n)", "(ends Handle<tree>, Handle<node>) -> void"],
  ];
  for (const [one, said] of cases) assertEquals((await declared(types, one))[0], said, one);
});

Deno.test("isKeeping() lists what a function may keep, which --kept has as memory", async () => {
  const types = "typedef struct s_s s;";
  const cases:
    readonly (readonly [one: string, kept: string, said: string, ...guesses: string[]])[] = [
      [
        "void s_set_input(s *to, const char *in, size_t inSize)",
        "",
        "(Handle<s>, in bytes[#2], usize) -> void",
        ": inSize says how long in is, by its name",
        ": in is not kept: else --kept s_set_input takes memory, which stays",
      ],
      [
        "void s_set_input(s *to, const char *in, size_t inSize)",
        "s_set_input",
        "(Handle<s>, Handle<Memory>, usize) -> void",
      ],
      [
        "int sLoadDict(s *to, const char *, int *place)",
        "",
        "(Handle<s>, string, inout *{ value: i32 }) -> i32",
        ": place is at one int, and at no array",
        ": what is sent, place is not kept: else --kept sLoadDict takes memory, which stays",
      ],
      ["void s_set_level(s *to, int level)", "", "(Handle<s>, i32) -> void"],
      ["void s_overload(s *to, const char *name)", "", "(Handle<s>, string) -> void"],
      ["void s_reset(s *to, const char *name)", "", "(Handle<s>, string) -> void"],
      ["void s_push(s *to, const char *name)", "s_push", "(Handle<s>, Handle<Memory>) -> void"],
    ];
  for (const [one, kept, ...said] of cases) {
    assertEquals(await declared(types, one, { kept: [kept] }), said, one);
  }
});
