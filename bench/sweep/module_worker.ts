import { answerParent } from "../../core/worker/worker_scope.ts";

answerParent<string>(async (moduleUrl) => void await import(moduleUrl));
