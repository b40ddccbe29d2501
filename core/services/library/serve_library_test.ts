import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { startServer } from "../../worker/start_server.ts";
import * as s from "../../signature/mod.ts";
import { serveLibrary } from "./serve_library.ts";
import { cApi } from "./testdata/c_library.ts";

const ignore = Deno.build.os !== "linux";

function linuxTest(name: string, run: () => Promise<void>): void {
  Deno.test({ name, ignore, fn: run });
}

/** The functions of C in a server worker. */
class CLibrary implements AsyncDisposable {
  readonly c;
  readonly #server;

  private constructor(channel: Channel, server: Awaited<ReturnType<typeof startServer>>) {
    this.c = s.connectApi(new Client(channel), cApi);
    this.#server = server;
  }

  static async start(): Promise<CLibrary> {
    const channel = Channel.create({ portCount: 4, laneCount: 1 });
    const services = [new URL("./testdata/c_library.ts", import.meta.url)];
    return new CLibrary(channel, await startServer(channel, { services }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.terminate();
  }
}

linuxTest("a library's functions take scalars, texts, structs and constants", async () => {
  await using library = await CLibrary.start();
  const { c } = library;
  assertEquals(c.strlen("12 bytes: ä"), 12n);
  assertEquals(c.div(17, 5), { quot: 3, rem: 2 });
  assertEquals(c.labs(-(2n ** 40n)), 2n ** 40n);
  assertEquals(c.ldexp10(0.75), 768);
  const exponent = { value: 0 };
  assertEquals([c.frexp(48, exponent), exponent.value], [0.75, 6]);
  assertEquals([c.getenv("PORTLAB_ABSENT"), typeof c.getenv("PATH")], [null, "string"]);
});

linuxTest("a library's functions read and write bytes, and call back", async () => {
  await using library = await CLibrary.start();
  const { c } = library;
  const bytes = new TextEncoder().encode("portlab");
  c.memfrob(bytes, 7n);
  assertEquals(
    new TextDecoder().decode(bytes),
    "portlab".replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 42)),
  );
  const numbers = new Int32Array([5, -3, 9, 0]);
  c.qsort(new Uint8Array(numbers.buffer), 4n, 4n, "byInt");
  assertEquals([...numbers], [-3, 0, 5, 9]);
});

linuxTest("a callback's throw reaches the caller, wherever C called it last", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  const { qsort } = cApi.functions;
  const api = s.hostApi("sorting", { qsort: qsort.signature });
  let [count, thrownAt] = [0, 0];
  const callbacks = {
    descending: (left: bigint, right: bigint) => {
      if (++count === thrownAt) throw new RangeError(`at ${count}`);
      return left < right ? 1 : -1;
    },
  };
  using _library = serveLibrary(new s.ApiServer(server, { callbacks }), api, {
    files: ["libc.so.6"],
  });
  const served = server.serveAsync();
  const stub = s.connectApi(new Client(channel), api).qsort;
  for (thrownAt of [1, 2, 4]) {
    count = 0;
    const error = await assertRejects(
      () => stub.async(new Uint8Array(32), 4n, 8n, "descending"),
      CallError,
      `Cannot answer sorting.qsort as its callback descending threw: at ${thrownAt}`,
    );
    const { stack } = error.cause as Error;
    assertEquals([stack?.includes(`Caused by: RangeError: at ${count}`), count], [true, thrownAt]);
  }
  channel.shutDown();
  await served;
});

linuxTest("a library's pointers are handles, and its failures carry errno", async () => {
  await using library = await CLibrary.start();
  const { c } = library;
  const path = await Deno.makeTempFile();
  const file = c.fopen(path, "w+")!;
  assertEquals(c.fwrite(new TextEncoder().encode("0123456789"), 1n, 10n, file), 10n);
  assertEquals(c.fseek(file, 4n, 0), 0);
  const read = new Uint8Array(6);
  assertEquals(c.fread(read, 2n, 3n, file), 3n);
  assertEquals(new TextDecoder().decode(read), "456789");
  assertEquals(c.fclose(file), 0);
  assertThrows(() => c.fclose(file), CallError, "has ended");
  await Deno.remove(path);
  const error = assertThrows(() => c.fopen(path, "r"), s.ErrnoError, "no such file");
  assertEquals([error.errno, error.code, c.fopen.errno], [2, "ENOENT", 2]);
});

linuxTest("a library gives handles by pointers to them", async () => {
  await using library = await CLibrary.start();
  const { c } = library;
  const made = { memory: null as s.Handle<"Memory"> | null };
  assertEquals([c.posix_memalign(made, 3n, 100n), made.memory], [22, null]); // 3 is no alignment
  assertEquals(c.posix_memalign(made, 64n, 100n), 0);
  const memory = made.memory!;
  assertEquals(c.malloc_usable_size(memory) >= 100n, true);
  c.free(memory);
  assertThrows(() => c.malloc_usable_size(memory), CallError, "has ended");
});

linuxTest("a check stands before the library, and has to be synchronous", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  const math = s.hostApi("m", s.fns({}, "sqrt cbrt: f64 -> f64"));
  const refuse = (value: number) => {
    if (value < 0) throw new RangeError(`${value} is negative`);
  };
  const late = async (value: number) => refuse(await value);
  using library = serveLibrary(new s.ApiServer(server), math, {
    files: ["libm.so.6"],
    checks: { sqrt: refuse, cbrt: late },
  });
  const served = server.serveAsync();
  const { sqrt, cbrt } = s.connectApi(new Client(channel), math);
  assertEquals(await sqrt.async(9), 3);
  await assertRejects(() => sqrt.async(-1), CallError, "-1 is negative");
  await assertRejects(() => cbrt.async(-1), CallError, "a check of serveLibrary that returns");
  library[Symbol.dispose](); // and once more at the end
  await assertRejects(() => sqrt.async(9), CallError, "no handler for it: m.sqrt");
  channel.shutDown();
  await served;
});

linuxTest("an absent library and an absent function are told apart, and variadics refused", () => {
  const api = s.hostApi("absent", { nowhere: s.fn([], s.nothing) });
  const server = () => new s.ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
  const files = ["libportlab_absent.so.1", "libportlab_absent.so.2"];
  const source = { files, packageHint: "the Debian package libabsent" };
  const absent = assertThrows(() => serveLibrary(server(), api, source), Error, "libabsent");
  for (const file of files) assertEquals(absent.message.includes(`${file}: `), true);
  assertThrows(() => serveLibrary(server(), api, { files: ["libm.so.6"] }), Error, "nowhere");
  const variadic = s.hostApi("c", { printf: s.fn([s.string, s.variadic], s.i32) });
  assertThrows(
    () => serveLibrary(server(), variadic, { files: ["libc.so.6"] }),
    TypeError,
    "variadic",
  );
  return Promise.resolve();
});
