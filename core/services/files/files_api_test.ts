import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import {
  ApiServer,
  type ApiServerOptions,
  connectApi,
  ErrnoError,
  type Handle,
} from "../../signature/mod.ts";
import { denoFiles, type FileHost } from "./deno_files.ts";
import { filesApi, serveFiles } from "./files_api.ts";
import { MemoryFiles } from "./testdata/memory_files.ts";

/** Client and server of one thread, which serves on its event loop. */
class Files implements AsyncDisposable {
  readonly api: ApiServer;
  readonly c;
  readonly #channel = Channel.create({ portCount: 4, laneCount: 1 });
  readonly #done: Promise<unknown>;

  constructor(host: FileHost, options: ApiServerOptions = {}) {
    const server = new Server(this.#channel);
    this.api = new ApiServer(server, options);
    serveFiles(this.api, { host });
    this.#done = server.runAsync();
    this.c = connectApi(new Client(this.#channel), filesApi);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#channel.shutDown();
    await this.#done;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("a caller who opens files without end is refused, and the host lives", async () => {
  await using files = new Files(denoFiles);
  const opened: Handle<"FILE">[] = [];
  const refused = await (async () => {
    for (;;) opened.push((await files.c.fopen.async("/dev/null", "r"))!);
  })().catch((error) => error);
  assertEquals([(refused as ErrnoError).code, opened.length > 0 && opened.length <= 1024], [
    "EMFILE",
    true,
  ]);
  await files.c.fclose.async(opened.pop()!);
  opened.push((await files.c.fopen.async("/dev/null", "r"))!);
  for (const file of opened) await files.c.fclose.async(file);
});

Deno.test("filesApi writes, reads, seeks and prints as C does", async () => {
  const host = new MemoryFiles();
  await using files = new Files(host);
  const { c } = files;
  const file = (await c.fopen.async("a.txt", "w+"))!;
  assertEquals(await c.fwrite.async(encode("first line\nsecond"), file), 17);
  assertEquals(await c.fprintf.async(file, " %d%% of %s\n", 50, "it"), 11);
  assertEquals([await c.ftell.async(file), await c.fseek.async(file, 0n, 0)], [28n, 0]);
  const line = new Uint8Array(40);
  assertEquals(await c.fgets.async(line, file), 11);
  assertEquals(await c.ungetc.async(0x2d, file), 0x2d);
  assertEquals(await c.fread.async(line, file), 18);
  assertEquals(new TextDecoder().decode(line.subarray(0, 18)), "-second 50% of it\n");
  assertEquals([await c.feof.async(file), await c.ferror.async(file)], [true, false]);
  await c.clearerr.async(file);
  assertEquals([await c.feof.async(file), await c.fflush.async(file)], [false, 0]);
  assertEquals([await c.fclose.async(file), await c.rename.async("a.txt", "b.txt")], [0, 0]);
  assertEquals(host.text("b.txt"), "first line\nsecond 50% of it\n");
  assertEquals([await c.remove.async("b.txt"), await c.fflush.async(null)], [0, 0]);
});

Deno.test("filesApi prints to the standard streams, in order", async () => {
  const host = new MemoryFiles();
  await using files = new Files(host);
  const { c } = files;
  assertEquals(await c.puts.async("one"), 4);
  assertEquals(await c.printf.async("%5.1f|", 2.25), 6);
  await c.fputs.async("two", await c.stdout.async());
  await c.fputs.async("bad", await c.stderr.async());
  assertEquals([host.text(1), host.text(2)], ["one\n  2.2|two", "bad"]);
  assertEquals(await c.sprintf.async("%s is %#x", "it", 255), "it is 0xff");
  assertEquals(await c.sprintf.async("%s%.2s", "\ufeffa", "äö"), "\ufeffaä");
  await assertRejects(
    () => c.sprintf.async("%.3s", "äö"),
    CallError,
    "no UTF-8: print by snprintf",
  );
  await assertRejects(() => c.sprintf.async("%c", 255), CallError, "no UTF-8");
  assertEquals(await c.fread.async(new Uint8Array(4), await c.stdin.async()), 0);
  assertEquals([await c.putchar.async(0x121), host.text(1)], [0x21, "one\n  2.2|two!"]);
});

Deno.test("filesApi puts and gets single bytes, and prints into arrays", async () => {
  const host = new MemoryFiles();
  await using files = new Files(host);
  const { c } = files;
  const file = (await c.fopen.async("a", "w+"))!;
  for (const byte of [0x41, 0xff, -0xbe]) {
    assertEquals(await c.fputc.async(byte, file), byte & 0xff);
  }
  await c.fseek.async(file, 0n, 0);
  const bytes: number[] = [];
  for (let count = 0; count < 4; count++) bytes.push(await c.fgetc.async(file));
  assertEquals([bytes, await c.feof.async(file)], [[0x41, 0xff, 0x42, -1], true]);
  assertEquals([await c.ungetc.async(-1, file), await c.fgetc.async(file)], [-1, -1]);
  assertEquals([await c.ungetc.async(-2, file), await c.fgetc.async(file)], [0xfe, 0xfe]);
  const written = (await c.fopen.async("b", "w"))!;
  await assertRejects(() => c.fgetc.async(written), ErrnoError, "EBADF");
  for (
    const [length, text] of [[0, ""], [1, "\0"], [4, "12;\0"], [6, "12;34\0"], [7, "12;34\0\0"]]
  ) {
    const target = new Uint8Array(length as number);
    assertEquals(await c.snprintf.async(target, "%d;%s", 12, "34"), 5);
    assertEquals(new TextDecoder().decode(target), text);
  }
});

Deno.test("filesApi says with errno what failed", async () => {
  await using files = new Files(new MemoryFiles());
  const { c } = files;
  const error = await assertRejects(() => c.fopen.async("absent", "r"), ErrnoError, "ENOENT");
  assertEquals([error.errno, c.fopen.errno], [2, 2]);
  await assertRejects(() => c.fopen.async("a", "rw"), ErrnoError, "EINVAL");
  await assertRejects(() => c.remove.async("absent"), ErrnoError, "ENOENT");
  const file = (await c.fopen.async("a", "w"))!;
  await assertRejects(() => c.fread.async(new Uint8Array(1), file), ErrnoError, "EBADF");
  assertEquals(await c.ferror.async(file), true);
  await assertRejects(() => c.fseek.async(file, -1n, 0), ErrnoError, "EINVAL");
  await assertRejects(() => c.printf.async("%n", 1), CallError, "writes to memory");
  await c.fclose.async(file);
  await assertRejects(() => c.feof.async(file), CallError, "has ended");
});

Deno.test("filesApi closes a file that no caller gets", async () => {
  let openCount = 0;
  const memory = new MemoryFiles();
  const host: FileHost = {
    standard: memory.standard,
    open: (path, mode) => {
      openCount++;
      return { ...memory.open(path, mode), close: () => void openCount-- };
    },
    remove: () => {},
    rename: () => {},
  };
  await using files = new Files(host, { handlesMax: 1 });
  const file = (await files.c.fopen.async("a", "w"))!;
  await assertRejects(() => files.c.fopen.async("b", "w"), CallError, "1 already: end some");
  assertEquals(openCount, 1);
  await files.c.fclose.async(file);
  assertEquals(openCount, 0);
});

Deno.test("denoFiles reads and writes the machine's files, and knows its errors", async () => {
  const folder = await Deno.makeTempDir();
  await using files = new Files(denoFiles);
  const { c } = files;
  const path = `${folder}/a.txt`;
  const file = (await c.fopen.async(path, "wx"))!;
  await c.fwrite.async(encode("0123456789"), file);
  await c.fclose.async(file);
  await assertRejects(() => c.fopen.async(path, "wx"), ErrnoError, "EEXIST");
  await assertRejects(() => c.fopen.async(folder, "w"), ErrnoError, "EISDIR");
  await assertRejects(() => c.fopen.async(`${path}/b`, "r"), ErrnoError, "ENOTDIR");
  await assertRejects(() => c.rename.async(`${folder}/no`, path), ErrnoError, "ENOENT");
  const behind = (await c.fopen.async(path, "a"))!;
  assertEquals(await c.ftell.async(behind), 10n);
  await c.fclose.async(behind);
  const added = (await c.fopen.async(path, "a+"))!;
  assertEquals(await c.ftell.async(added), 0n);
  await c.fwrite.async(encode("ab"), added);
  await c.fseek.async(added, 8n, 0);
  const target = new Uint8Array(9);
  assertEquals(await c.fread.async(target, added), 4);
  assertEquals(new TextDecoder().decode(target.subarray(0, 4)), "89ab");
  await c.fclose.async(added);
  await c.remove.async(path);
  await Deno.remove(folder); // it is empty
});
