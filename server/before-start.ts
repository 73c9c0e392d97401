/**
 * Loaded before the server, because a host must be able to undo a version whose server does not
 * load.
 */
export { checkConfig } from "./config/config.ts";
export { flushPath } from "./lib/flush-path.ts";
