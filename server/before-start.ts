/**
 * The code that a host needs before it loads the server, because it must undo a version whose server cannot
 * be loaded.
 */
export { checkConfig } from "./config/config.ts";
export { flushPath } from "./lib/flush-path.ts";
