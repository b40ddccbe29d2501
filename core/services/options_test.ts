/** Options of what is served: a name that is misspelt would be missed in silence. */
import { assertThrows } from "@std/assert";
import { serveLlvm } from "../process/llvm/serve_llvm.ts";
import { SharedFile } from "../process/shared/shared_file.ts";
import { ApiServer, connectApi, f64, fn, hostApi } from "../signature/mod.ts";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { Server } from "../toggle/server/server.ts";
import { serveFortran, serveHdf5, serveMpi } from "./emissary/mod.ts";
import {
  confinedFiles,
  HeapAllocator,
  serveFiles,
  serveLibrary,
  serveProcess,
  serveSystem,
} from "./mod.ts";

const channel = Channel.create({ portCount: 1, laneCount: 1 });
const llvm = Channel.create({ portCount: 1, laneCount: 1, wire: "llvm" });
const math = hostApi("m", { sqrt: fn([f64], f64) });
const server = new ApiServer(new Server(channel));
const files = ["libm.so.6"];

/** What takes options, one that is misspelt, and what was meant. */
const TAKERS: readonly (readonly [(options: never) => unknown, misspelt: object, meant: string])[] =
  [
    [(options) => new ApiServer(new Server(channel), options), { handleMax: 1 }, "handlesMax"],
    [(options) => connectApi(new Client(channel), math, options), { timeout: 1 }, "timeoutSeconds"],
    [(options) => serveFiles(server, options), { fileMax: 5 }, "filesMax"],
    [(options) => confinedFiles("/", options), { readonly: false }, "readOnly"],
    [(options) => serveLibrary(server, math, options), { files, check: {} }, "checks"],
    [
      (process) => serveLibrary(server, math, { files, process }),
      { timeoutSecond: 1 },
      "timeoutSeconds",
    ],
    [(options) => serveSystem(server, options), { envs: [] }, "env"],
    [(options) => serveProcess(server, options), { allowCommand: true }, "allowCommands"],
    [(options) => new HeapAllocator(options), { sizeBytes: 64, startBytes: 1 }, "startByte"],
    [(options) => serveLlvm(new Server(llvm), options), { file: {} }, "files"],
    [(options) => SharedFile.create({ portCount: 1, laneCount: 1 }, options), { pat: "" }, "path"],
    [(options) => serveHdf5(server, options), { libraries: [] }, "library"],
    [(options) => serveMpi(server, options), { limitsBytes: 1 }, "limitBytes"],
    [(options) => serveFortran(server, options), { mapfile: null }, "mapFile"],
  ];

Deno.test("options that there are not are refused with the nearest name, wherever they are taken", () => {
  for (const [take, misspelt, meant] of TAKERS) {
    assertThrows(
      () => take(misspelt as never),
      TypeError,
      `as there is no option ${Object.keys(misspelt).at(-1)}: did you mean ${meant}`,
    );
  }
  assertThrows(() => serveFortran(server, { afterStop: "ignored" as never }), TypeError, "ignore");
});
