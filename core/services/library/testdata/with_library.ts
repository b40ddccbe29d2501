/** Libraries for tests: served and called on one event loop, and skipped where they are not installed. */
import type { AnyFunction, Functions } from "../../../signature/declaration_types.ts";
import * as s from "../../../signature/mod.ts";
import { onLinux } from "../../../testing/fixtures/on_linux.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import { type LibrarySource, serveLibrary } from "../serve_library.ts";

/** How it is served; the C library when no files are named. */
export interface WithLibraryOptions<Fs extends Functions> extends Partial<LibrarySource<Fs>> {
  readonly callbacks?: Readonly<Record<string, AnyFunction>>;
  readonly laneCount?: number;
}

/** Calls an API of a library by a server of this thread. */
export async function withLibrary<Fs extends Functions>(
  api: s.HostApi<Fs>,
  options: WithLibraryOptions<Fs>,
  use: (stubs: s.HostStubs<Fs>, client: Client) => Promise<void>,
): Promise<void> {
  const { callbacks = {}, laneCount = 1, ...source } = options;
  const channel = Channel.create({ portCount: 4, laneCount });
  const server = new Server(channel);
  await using _library = serveLibrary(new s.ApiServer(server, { callbacks }), api, {
    files: ["libc.so.6"],
    ...source,
  });
  const served = server.runAsync();
  const client = new Client(channel);
  await use(s.connectApi(client, api), client);
  channel.shutDown();
  await served;
}

/** A server that nobody calls. */
export function idleServer(): s.ApiServer {
  return new s.ApiServer(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
}

/** A test of a library beside its server, and of one in a process. */
export function twiceTest(name: string, fn: (process: boolean) => Promise<void>): void {
  onLinux(`${name}, here`, () => fn(false));
  onLinux(`${name}, in a process`, () => fn(true));
}

/** A function of a library, of which its test knows more than the compiler. */
export type Call = (...given: unknown[]) => Promise<unknown>;
export type Calls = Readonly<Record<string, Call>>;

/** The functions of an API that was made by a test. */
export function callsOf(stubs: s.HostStubs<Functions>): Calls {
  return Object.fromEntries(Object.entries(stubs).map(([name, stub]) => [name, stub.async]));
}

/** A test that is skipped with a line where a library is not installed. */
export function libraryTest(
  name: string,
  library: TestedLibrary,
  fn: () => Promise<void>,
): void {
  const skipped = skippedWithout(library);
  Deno.test({ name: `${name}${skipped}`, ignore: skipped !== "", fn });
}

/** A library, and the package of Debian that has it. */
export interface TestedLibrary {
  readonly files: readonly string[];
  readonly hint: string;
}

/** What a test says that is skipped as a library is not installed; no text where it is. */
export function skippedWithout({ files, hint }: TestedLibrary): string {
  const isInstalled = files.some((file) => {
    try {
      Deno.dlopen(file, {}).close();
      return true;
    } catch {
      return false;
    }
  });
  return isInstalled ? "" : ` (skipped: the Debian package ${hint} is not installed)`;
}
