import { answerParent } from "../../worker/worker_scope.ts";
import { runSuite } from "./suite.ts";

answerParent(runSuite);
