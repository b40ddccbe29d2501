import { roundTrip } from "../../scenarios/worker/round_trip.ts";
import { registerBenches } from "./register_benches.ts";

await registerBenches(roundTrip);
