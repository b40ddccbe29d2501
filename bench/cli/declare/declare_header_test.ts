import { assert, assertEquals } from "@std/assert";
import { declareHeader } from "./declare_header.ts";
import { readHeader } from "./read_header.ts";
import { textsOf } from "./testdata/declared.ts";

/** What a compiler leaves of a header, with a bit of everything. */
const HEADER = `# 1 "/usr/include/stddef.h" 1
typedef unsigned long size_t;
int elsewhere(int);
# 1 "/usr/include/lib.h" 1
typedef unsigned char byte;
typedef enum { red, green = 3 } color;
struct point { int x; double y[2]; };
typedef struct point point;
typedef struct box_s *box;
struct config { const char *name; byte tag[3]; union { int i; double d; } u; short last; };
struct event { int kind; union { int key[2][3]; double x; }; };
union any_event { struct event one; long id; };
int event_next(union any_event *e);
struct user { char *__login; long id; };
struct stream { byte *next; union { int i; double d; } u; short last; };
typedef int (*visit)(void *data, const char *name, const struct point *at);
int add(int left, unsigned long long right);
void nothing_at_all(void);
const char *version(void);
char *copy_text(const char *text);
box box_open(const char *path, color paint);
int box_make(box *made, char **problem);
void box_free(box b);
size_t box_write(box b, const void *data, size_t dataLen);
size_t box_read(void *ptr, size_t size, size_t nmemb, box b);
int box_fill(box b, double *values, int *count);
int move(point *p, const point *by);
point *corner(box b);
point middle(point from, point to);
int configure(struct config *c);
int inflate_it(struct stream *s);
const struct user *user_of(long id);
int user_check(const struct user *u);
int __hidden(void);
int by_value(struct config c);
int walk(box b, visit each, void *data);
int parse(const unsigned char *bytes);
int many(const char *format, ...);
long double wide(void);
char ***deep(void);
static int inner(int x) { return x; }
extern int verbosity;
extern const char banner[];
`;

const own = readHeader(HEADER, (path) => path.endsWith("lib.h"));

Deno.test("declareHeader() writes a module that declares what a header has, and lists the rest", async () => {
  const importFrom = new URL("../../../core/signature/mod.ts", import.meta.url).href;
  const { module, guesses, unsaid, count } = declareHeader(own, { name: "lib", importFrom });
  const at = "{ x: i32, y: f64[2] }";
  const texts = await textsOf(module);
  assertEquals(texts, {
    alloc: "alloc(usize) -> Handle<Memory>",
    put: "put(Handle<Memory>, usize, in bytes) -> void",
    get: "get(Handle<Memory>, usize, out bytes) -> void",
    point: "point(Handle<Memory>, usize, Handle<Memory>, usize) -> void",
    free: "free(ends Handle<Memory>) -> void",
    add: "add(i32, u64) -> i32",
    nothing_at_all: "nothing_at_all() -> void",
    version: "version() -> string or null",
    copy_text: "copy_text(string) -> Handle<Text> or null",
    box_open: "box_open(string, i32) -> Handle<box_s> or null",
    box_make:
      "box_make(inout *{ value: Handle<box_s> or null }, inout *{ value: Handle<Text> or null }) -> i32",
    box_free: "box_free(ends Handle<box_s>) -> void",
    box_write: "box_write(Handle<box_s>, in bytes[#2], usize) -> usize",
    box_read: "box_read(inout bytes[#1 * #2], usize, usize, Handle<box_s>) -> usize",
    box_fill: "box_fill(Handle<box_s>, inout bytes[#2.value * 8], inout *{ value: i32 }) -> i32",
    move: `move(Handle<point>, Handle<point>) -> i32`,
    corner: "corner(Handle<box_s>) -> Handle<point> or null",
    middle: `middle(${at}, ${at}) -> ${at}`,
    configure:
      "configure(inout *{ name: string or null, tag: u8[3], u: union { i: i32, d: f64 }, last: i16 }) -> i32",
    event_next:
      "event_next(inout *{ value: union { one: { kind: i32, unnamed1: union { key: i32[3][2], x: f64 } }, id: i64 } }) -> i32",
    inflate_it: "inflate_it(Handle<Memory|stream>) -> i32",
    user_of: "user_of(i64) -> Handle<user> or null",
    user_check: "user_check(Handle<user>) -> i32",
    walk:
      "walk(Handle<box_s>, (usize, string or null, Handle<point> or null) => i32 or null, Handle<Memory> or null) -> i32",
    parse: "parse(Handle<Memory>) -> i32",
    deep: "deep() -> Handle<Memory> or null",
    verbosity: "verbosity() -> i32",
    read_Text: "read_Text(Handle<Text>) -> string",
    read_user: "read_user(Handle<user>) -> { login: string or null, id: i64 }",
    read_point: `read_point(Handle<point>) -> ${at}`,
  });
  assertEquals(count, 22);
  assertEquals(unsaid, [
    "__hidden: no name begins with _: give it another, by `symbols`",
    "by_value: struct config has a union, and is passed by value",
    "many: it takes any number of arguments: serve a function of your own",
    "wide: the type long double",
    "banner: an array that is a global variable",
    "inner: it is inline, so the library has no such symbol",
  ]);
  assertEquals(guesses.length, 10);
  assert(
    module.includes("// Memory for a stream: 24 bytes: next at 0, u at 8, last at 16"),
  );
});

Deno.test("declareHeader() keeps a header's own free beside that of memory", async () => {
  const header = readHeader(`# 1 "lib.h"\nvoid free(void *);\nint fill(void *data);\n`, () => true);
  const importFrom = new URL("../../../core/signature/mod.ts", import.meta.url).href;
  const texts = await textsOf(declareHeader(header, { name: "lib", importFrom }).module);
  assertEquals(texts.memory_free, "memory_free(ends Handle<Memory>) -> void");
  assertEquals(Object.keys(texts).includes("free"), true);
});

Deno.test("declareHeader() leaves out what a library has not", () => {
  const options = { name: "lib", importFrom: "x", isThere: (name: string) => name === "add" };
  const { module, count } = declareHeader(own, options);
  assertEquals([count, module.includes("box_open: fn")], [1, false]);
});
