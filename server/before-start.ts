/** The little that a host needs before the server is read: one that cannot be read is to be undone by it. */
export { checkConfig } from "./config/config.ts";
export { flushPath } from "./lib/flush-path.ts";
