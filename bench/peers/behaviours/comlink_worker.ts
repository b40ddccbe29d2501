import { expose } from "comlink";
import { functions } from "./functions.ts";

expose(functions);
