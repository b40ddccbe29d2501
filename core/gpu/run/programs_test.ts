import { openGpu } from "./gpu.ts";
import { testPrograms } from "./testdata/check_program.ts";
import { PROGRAMS } from "./testdata/programs.ts";

const runner = await openGpu().catch(() => undefined);

testPrograms(PROGRAMS, "epochs", { runner, obstacle: "no GPU adapter, see deno task doctor" });
