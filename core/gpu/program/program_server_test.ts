import { assertEquals } from "@std/assert";
import { HeapAllocator, memoryApi } from "../../services/memory_api.ts";
import { processApi } from "../../services/process/process_api.ts";
import { connectApi, ErrnoError, fn, hostApi, i32, nothing } from "../../signature/mod.ts";
import { systemApi } from "../../services/system_api.ts";
import { filesApi } from "../../services/files/files_api.ts";
import { MemoryFiles } from "../../services/files/testdata/memory_files.ts";
import type { HostFile } from "../../services/files/deno_files.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { programApi } from "./program_library.ts";
import { type ProgramHeap, type ProgramHost, ProgramServer } from "./program_server.ts";

/** Callers of these tests are no kernels. */
const HEAP: ProgramHeap = {
  allocator: new HeapAllocator({ sizeBytes: 1024 }),
  check: () => {},
  read: (_, lengthBytes) => new Uint8Array(lengthBytes),
  readText: () => new Uint8Array(),
  write: () => {},
  malloc: () => 0,
};

/** A program in TypeScript, and its server in the same thread, which runs until the end of a test. */
function served(host: ProgramHost) {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const program = new ProgramServer(channel, HEAP, host);
  const running = program.runAsync();
  return {
    program,
    client: new Client(channel),
    async [Symbol.asyncDispose]() {
      channel.shutDown();
      await running;
    },
  };
}

function fileOf(write: HostFile["write"]): HostFile {
  return { read: () => 0, write, seek: () => 0n, close: () => {} };
}

function hostWith(write: HostFile["write"]): ProgramHost {
  const none = fileOf(() => 0);
  const refuse = () => {
    throw new ErrnoError(2, "open");
  };
  return {
    files: {
      standard: [none, fileOf(write), none],
      open: refuse,
      remove: refuse,
      rename: refuse,
    },
  };
}

Deno.test("ProgramServer ends at the first exit", async () => {
  await using run = served({});
  const { program, client } = run;
  const { exit, abort } = connectApi(client, processApi);
  assertEquals([program.hasEnded, program.exitStatus], [false, undefined]);
  await exit.async(0);
  assertEquals([program.hasEnded, program.exitStatus], [true, 0]);
  await exit.async(3);
  await abort.async();
  assertEquals(program.exitStatus, 0);
});

Deno.test("ProgramServer has abort end a program as SIGABRT would, and runs no command unasked", async () => {
  await using run = served({});
  const { program, client } = run;
  const { abort, system } = connectApi(client, processApi);
  assertEquals(await system.async(null), 0);
  await abort.async();
  assertEquals(program.exitStatus, 134);
  await using allowed = served({ commands: true });
  assertEquals(await connectApi(allowed.client, processApi).system.async("exit 3"), 3 << 8);
});

Deno.test("ProgramServer ends a program of which a call has failed", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const program = new ProgramServer(channel, HEAP, {});
  new Client(channel).cast(60_000, () => {});
  assertEquals([program.hasEnded, program.runOnce()], [false, true]);
  assertEquals([program.hasEnded, program.exitStatus], [true, undefined]);
});

Deno.test("ProgramServer shows the environment that it was given, and no other", async () => {
  await using run = served({ env: { GREETING: "hello", EMPTY: "" } });
  const { client } = run;
  const { getenv } = connectApi(client, systemApi);
  assertEquals(await getenv.async("GREETING"), "hello");
  assertEquals(await getenv.async("EMPTY"), "");
  assertEquals(await getenv.async("PATH"), null);
});

Deno.test("ProgramServer ends a program as SIGPIPE would when nobody reads what it writes", async () => {
  const closed = hostWith(() => {
    throw new ErrnoError(32, "write stdout");
  });
  await using run = served(closed);
  const { program, client } = run;
  await connectApi(client, filesApi).puts.async("hello");
  assertEquals(program.exitStatus, 141);
});

Deno.test("ProgramServer leaves other failures of the standard output to the caller", async () => {
  const full = hostWith(() => {
    throw new ErrnoError(28, "write stdout");
  });
  await using run = served(full);
  const { program, client } = run;
  const failure = await connectApi(client, filesApi).puts.async("hello").catch(String);
  assertEquals([`${failure}`.includes("ENOSPC"), program.hasEnded], [true, false]);
});

Deno.test("ProgramServer gives out memory, and writes what an error number means", async () => {
  const files = new MemoryFiles();
  await using run = served({ files });
  const { client } = run;
  assertEquals(await connectApi(client, memoryApi).malloc.async(8), 16);
  await connectApi(client, programApi).perror_of.async("a.txt", 2);
  assertEquals(files.text(2), "a.txt: no such file or directory\n");
  const { fopen, fputs, fclose } = connectApi(client, filesApi);
  const file = await fopen.async("b.txt", "w");
  await fputs.async("in b", file!);
  await fclose.async(file!);
  assertEquals(files.text("b.txt"), "in b");
});

Deno.test("ProgramServer serves libraries, which may end the program, and end with it", async () => {
  const api = hostApi("more", { stop: fn([i32], nothing) });
  const ended: string[] = [];
  const run = served({
    libraries: [{
      api,
      serve(apis, exit) {
        apis.serve(api, { stop: exit });
        return { [Symbol.dispose]: () => ended.push("more") };
      },
    }],
  });
  const { program, client } = run;
  await connectApi(client, api).stop.async(7);
  assertEquals([program.exitStatus, ended], [7, []]);
  await run[Symbol.asyncDispose]();
  program[Symbol.dispose]();
  assertEquals(ended, ["more"]);
});
