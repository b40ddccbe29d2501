import { manyClients } from "../../scenarios/worker/many_clients.ts";
import { registerBenches } from "./register_benches.ts";

await registerBenches(manyClients);
