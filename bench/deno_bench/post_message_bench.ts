import { postMessage } from "../../scenarios/worker/post_message.ts";
import { registerBenches } from "./register_benches.ts";

await registerBenches(postMessage);
