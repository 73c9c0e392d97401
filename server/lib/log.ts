import type { FastifyBaseLogger } from "fastify";

/**
 * Structured log. An entry has an object of facts and a sentence, and never a PIN, key or other
 * secret.
 */
export type Log = Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
