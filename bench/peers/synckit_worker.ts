import { runAsWorker } from "synckit";
import { incrementBytes } from "./increment_bytes.ts";

runAsWorker(incrementBytes);
