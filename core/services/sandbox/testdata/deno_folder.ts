import { type ConfinedFiles, confinedFiles } from "../files/confined_files.ts";
import { openMode } from "../../files/deno_files.ts";

/** A folder `root` with files, and beside it what nobody may reach. */
export interface OpenFolder extends Disposable {
  readonly base: string;
  readonly root: string;
  readonly files: ConfinedFiles;
}

/** Makes one in the folder for temporary files. */
export function openFolder({ readOnly = true }: { readonly readOnly?: boolean } = {}): OpenFolder {
  const base = Deno.makeTempDirSync();
  const root = `${base}/root`;
  Deno.mkdirSync(`${root}/sub/deep`, { recursive: true });
  Deno.mkdirSync(`${base}/outside`);
  Deno.writeTextFileSync(`${root}/a.txt`, "inside");
  Deno.writeTextFileSync(`${root}/sub/b.txt`, "below");
  Deno.writeTextFileSync(`${base}/secret.txt`, "secret");
  Deno.writeTextFileSync(`${base}/outside/b.txt`, "secret");
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
