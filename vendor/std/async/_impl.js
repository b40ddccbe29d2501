// The package's own async/mod.js names a file that it does not ship, so its parts are taken singly.
export * from "npm:deno-std@1.4.0/async/delay.js";
export * from "npm:deno-std@1.4.0/async/deadline.js";
export * from "npm:deno-std@1.4.0/async/pool.js";
