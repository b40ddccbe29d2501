import process from "node:process";
import { runSuite } from "./suite.ts";

process.stdout.write(JSON.stringify(await runSuite()));
