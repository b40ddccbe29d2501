import { manyClients } from "../scenarios/many_clients.ts";
import { registerBenches } from "./register_benches.ts";

await registerBenches(manyClients);
