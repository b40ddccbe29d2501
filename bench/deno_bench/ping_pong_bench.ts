import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { registerBenches } from "./register_benches.ts";

await registerBenches(pingPong);
