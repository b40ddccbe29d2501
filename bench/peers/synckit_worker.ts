import { runAsWorker } from "synckit";
import { increment } from "./peer_value.ts";

runAsWorker(increment);
