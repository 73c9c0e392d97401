import type { FastifyBaseLogger } from "fastify";

/** Structured log: an object of facts and a sentence. It never contains a PIN, a key or a secret. */
export type Log = Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
