/**
 * Makes the bytes of WebAssembly from their texts: `deno task wasm`.
 *
 * @module
 */
import { fromFileUrl } from "@std/path";
import { write } from "../bench/cli/command_line.ts";
import { runCommand } from "../bench/cli/options/command_options.ts";
import { bytesFile, bytesModule, TEXTS } from "../core/testing/wat_source.ts";

const COMMAND = {
  usage: ["deno task wasm"],
  does: "Writes beside each text of WebAssembly in core/ a module of its bytes.",
  options: {},
  ends: "It ends with 0, and with 2 when a text is wrong.",
} as const;

Deno.exit(
  await runCommand(COMMAND, async () => {
    for (const text of TEXTS) {
      await Deno.writeTextFile(bytesFile(text), await bytesModule(text));
      console.log(fromFileUrl(bytesFile(text)));
    }
    write(Deno.stderr, "Next: deno test -A --no-check core/testing/model core/testing/channel\n");
  }),
);
