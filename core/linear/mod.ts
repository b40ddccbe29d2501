/**
 * Ports that are used exactly once: a wrong order does not compile, a second use does not lint, and
 * what gets past both is caught at run time. Importable by URL; no packages.
 *
 * @module
 */
export { ConsumedError } from "./port/consumption.ts";
export type { HandleWork, InvokeWork } from "./four_callbacks.ts";
export type { Absent, Either, Maybe, Present } from "./maybe.ts";
export { move } from "./move.ts";
export type { Lent } from "./port/lent.ts";
export { CHECKS, type Checks } from "./port/port_maker.ts";
export { TypedClient } from "./typed_client.ts";
export type { Bit, Not, OwnedPort, PartialPort, SentPort, TypedPort } from "./port/typed_port.ts";
export { type TypedHandler, TypedServer, type TypedServerOptions } from "./typed_server.ts";
