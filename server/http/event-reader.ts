import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";

const EVENT_STREAM = /text\/event-stream|text\/\*|\*\/\*/i;

/** Lets only those through who can read Server-Sent Events. */
export async function requireEventReader({ headers }: FastifyRequest): Promise<void> {
  if (headers.accept === undefined || EVENT_STREAM.test(headers.accept)) return;
  throw new Problem("NOT_FOUND", "There is only an event stream here.");
}
