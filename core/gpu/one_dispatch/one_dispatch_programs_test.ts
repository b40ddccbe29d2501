import { gpu } from "../device/on_device_test.ts";
import { openGpu } from "../run/gpu.ts";
import { type ProgramRunner, testPrograms } from "../run/testdata/check_program.ts";
import { PROGRAMS } from "../run/testdata/programs.ts";

const opened = gpu && await openGpu();

/** Without the options that are the host's, and its epochs. */
async function run(...[source, options, server]: Parameters<ProgramRunner["run"]>) {
  const { functions: _functions, print: _print, ...others } = options;
  const report = await opened!.run(source, { ...others, server: server! });
  const { epochCount: _epochCount, ...counted } = report;
  return counted;
}

testPrograms(PROGRAMS.filter(({ server }) => server !== undefined), "one dispatch", {
  // Two workgroups on SwiftShader are known to run side by side.
  runner: gpu && { run, mayStall: !gpu.adapterName.startsWith("SwiftShader") },
  obstacle: "no GPU adapter, see deno task doctor",
});
