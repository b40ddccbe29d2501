import coincident from "coincident/worker";
import { callFunction } from "./functions.ts";

const { proxy } = await coincident();
proxy.callFunction = callFunction;
proxy.ready();
