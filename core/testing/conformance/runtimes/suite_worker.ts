/** Runs the suite in a worker of a page, since most cases block. */
import { answerParent } from "../../../worker/worker_scope.ts";
import { CASES } from "../cases/cases.ts";
import { runCases } from "../cases/case.ts";

answerParent<"run">(() => runCases(CASES));
