import type { FastifyBaseLogger } from "fastify";

/**
 * Structured log: each entry has an object of facts and a sentence. It never contains a
 * PIN, key or other secret.
 */
export type Log = Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
