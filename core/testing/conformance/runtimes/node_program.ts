// Run by Node as a program: writes the reports of all cases as one line of JSON.
import { CASES } from "../cases/cases.ts";
import { runCases } from "../cases/case.ts";
import { NODE_CASES } from "./node_cases.ts";

console.log(JSON.stringify(await runCases([...CASES, ...NODE_CASES])));
