/**
 * Functions that a host loads before the server, so that the host can undo a version whose server
 * does not load.
 */
export { checkConfig } from "./config/config.ts";
export { flushPath } from "./lib/write-file.ts";
