import { runAsWorker } from "synckit";
import { callFunction } from "./functions.ts";

runAsWorker(callFunction);
