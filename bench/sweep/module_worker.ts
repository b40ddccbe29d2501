import { answerParent } from "../../core/worker/worker_scope.ts";

answerParent<string>(async (moduleUrl) => {
  // Elsewhere it would be the end of the program, without a word.
  Deno.exit = (code) => {
    throw new Error(`it ends its process, with ${code ?? Deno.exitCode}`);
  };
  // What it prints is printed where it is used.
  console.log =
    console.info =
    console.debug =
    console.warn =
    console.error =
      () => {};
  await import(moduleUrl);
});
