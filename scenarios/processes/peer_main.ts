/** The process of a {@linkcode PeerProcess}: PARENT MEMORY INIT CPU. Prints a line when its work is prepared. */
import { endWithParent } from "../../core/system/wall.ts";
import { keepOnCpus } from "../partner/affinity.ts";
import { workOnOrders } from "./peer_process.ts";
import { prepareWork } from "./process_work.ts";

if (import.meta.main) {
  const [parent, path, init, cpu] = Deno.args;
  endWithParent(Number(parent));
  if (cpu !== "") keepOnCpus([Number(cpu)]);
  const work = prepareWork(JSON.parse(init!));
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  if (work) workOnOrders(path!, work);
}
