import { assertEquals, assertStringIncludes } from "@std/assert";
import { onLinux } from "../../testing/fixtures/on_linux.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function dataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** Runs a few lines in a process of its own, in its main thread or in a worker. */
async function run(lines: string, flags: readonly string[] = []): Promise<Ended> {
  const host = new URL("./deno_process.ts", import.meta.url);
  const module = dataUrl(`import { denoProcess } from "${host}"; ${lines}`);
  const args = ["run", "--no-check", "--no-prompt", ...flags, module];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out!, stderr: err! };
}

async function runInWorker(lines: string, flags: readonly string[]): Promise<Ended> {
  const host = new URL("./deno_process.ts", import.meta.url);
  const module = dataUrl(`import { denoProcess } from "${host}"; ${lines}`);
  return await run(`new Worker("${module}", { type: "module" });`, flags);
}

onLinux("denoProcess ends the process, from its main thread and from a worker", async () => {
  const [main, aborted, worker, abortedWorker, refused] = await Promise.all([
    run("denoProcess.exit(300); console.log('not here')"),
    run("denoProcess.abort()"),
    runInWorker("denoProcess.exit(7)", ["-A"]),
    runInWorker("denoProcess.abort()", ["-A"]),
    runInWorker("denoProcess.exit(7)", ["--allow-read"]),
  ]);
  assertEquals([main.code, main.stdout], [300 & 0xff, ""]);
  assertEquals([aborted.code, worker.code, abortedWorker.code], [134, 7, 134]);
  assertEquals(refused.code, 1); // the worker's error ends this program
  assertStringIncludes(refused.stderr, "allow FFI, or give serveProcess a host");
});

onLinux("denoProcess runs commands of the shell, as C's system does", async () => {
  const lines = `
    const statuses = ["exit 3", "kill -9 $$", "echo hello"].map(denoProcess.run);
    console.log(JSON.stringify(statuses));
    try { denoProcess.run("x".repeat(3e6)) } catch (error) { console.log(error.errno) }`;
  const [allowed, refused] = await Promise.all([
    run(lines, ["--allow-run"]),
    run("try { denoProcess.run('ls') } catch (error) { console.log(error.code) }"),
  ]);
  assertEquals([allowed.stdout, allowed.stderr], ["hello\n[768,9,0]\n7\n", ""]);
  assertEquals(refused.stdout, "EACCES\n");
});
