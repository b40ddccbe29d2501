import { assertEquals, assertThrows } from "@std/assert";
import { ErrnoError } from "../../../signature/mod.ts";
import { type ConfinedFiles, confinedFiles } from "../files/confined_files.ts";
import { openMode } from "../../files/deno_files.ts";

/** A folder `root` with files, and beside it what nobody may reach. */
export interface OpenFolder extends Disposable {
  readonly base: string;
  readonly root: string;
  readonly files: ConfinedFiles;
}

/** Makes one in the folder for temporary files, with links by their names. */
export function openFolder(
  { readOnly = true, links = {} }: {
    readonly readOnly?: boolean;
    readonly links?: Readonly<Record<string, string>>;
  } = {},
): OpenFolder {
  const base = Deno.makeTempDirSync();
  const root = `${base}/root`;
  for (const folder of [`${root}/sub/deep`, `${base}/outside`]) {
    Deno.mkdirSync(folder, { recursive: true });
  }
  const texts = { "root/a.txt": "inside", "root/sub/b.txt": "below", "secret.txt": "secret" };
  for (const [path, text] of Object.entries({ ...texts, "outside/b.txt": "secret" })) {
    Deno.writeTextFileSync(`${base}/${path}`, text);
  }
  for (const [name, to] of Object.entries(links)) Deno.symlinkSync(to, `${root}/${name}`);
  const files = confinedFiles(root, { readOnly });
  return {
    base,
    root,
    files,
    [Symbol.dispose]() {
      files[Symbol.dispose]();
      Deno.removeSync(base, { recursive: true });
    },
  };
}

/** What is in a file, as far as its first 100 bytes. */
export function read(files: ConfinedFiles, path: string, mode = "r"): string {
  const file = files.open(path, openMode(mode)!);
  const bytes = new Uint8Array(100);
  const text = new TextDecoder().decode(bytes.subarray(0, file.read(bytes)));
  file.close();
  return text;
}

/** That the system's name of an error is this one. */
export function refused(work: () => unknown, code: string): void {
  assertEquals(assertThrows(work, ErrnoError).code, code);
}
