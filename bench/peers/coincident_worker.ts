import coincident from "coincident/worker";
import { increment } from "./peer_value.ts";

const { proxy } = await coincident();
proxy.increment = increment;
proxy.ready();
