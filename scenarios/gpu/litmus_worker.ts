import { type LitmusThread, playRounds } from "../../core/gpu/live/litmus/litmus_host.ts";
import { answerParent } from "../../core/worker/worker_scope.ts";

/** Plays a thread's part of all rounds; whoever asks for nothing learns that the Worker is here. */
export type LitmusRequest = LitmusThread | undefined;

answerParent<LitmusRequest>((thread) => {
  if (thread) playRounds(thread);
});
