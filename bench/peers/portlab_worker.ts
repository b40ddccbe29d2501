import { serve } from "../../core/connect/mod.ts";
import { increment } from "./peer_value.ts";

const functions = { increment };
serve(functions);
/** What it serves. */
export type PortlabFunctions = typeof functions;
