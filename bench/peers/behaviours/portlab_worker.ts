import { serve } from "../../../core/connect/mod.ts";
import { functions } from "./functions.ts";

serve(functions);
