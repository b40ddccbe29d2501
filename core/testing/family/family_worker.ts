import { answerParent } from "../../worker/worker_scope.ts";
import { INCREMENT } from "./family_opcodes.ts";
import type { FamilyRequest } from "./family_opcodes.ts";
import { FAMILY } from "./protocols.ts";

const parent = answerParent<FamilyRequest, "serves">((request): number => {
  const channel = FAMILY[request.protocol]!.attach(request.handle as never);
  if (request.kind === "call") {
    const client = channel.client();
    let wrongCount = 0;
    for (let value = request.first; value < request.first + request.callCount; value++) {
      if (client.call(INCREMENT, value) !== value + 1) wrongCount++;
    }
    return wrongCount;
  }
  const server = channel.server();
  let servedCount = 0;
  server.operate(INCREMENT, (value) => (servedCount++, value + 1));
  parent.note("serves");
  server.run();
  return servedCount;
});
