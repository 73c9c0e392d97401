import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";

/** Listener of a request: this machine's, the API's, or the tills'. */
export type Door = "machine" | "api" | "till";

const doors = new WeakMap<IncomingMessage, Door>();

/** Records a request's listener, before any other code runs. */
export function enterBy(request: IncomingMessage, door: Door): void {
  doors.set(request, door);
}

export function doorOf({ raw }: Pick<FastifyRequest, "raw">): Door {
  return doors.get(raw) ?? "machine";
}

/** Routes of each network listener. Paths are not compared, because they have many spellings. */
const SERVED: Record<Exclude<Door, "machine">, RegExp> = {
  api: /^\/(v1\/|hooks\/|docs$|docs\/)/,
  till: /^\/(pos\/|r\/|\*?$|display$|enrol$|authority\.crt$)/,
};

/** Routes for enrolment, which this machine does not need. */
const TILLS_ONLY: ReadonlySet<string> = new Set(["/enrol", "/authority.crt"]);

/** Receipt pages. The tills' listener serves them only if the shop has an address for receipts. */
const RECEIPTS = /^\/r\//;

/** Uses the path if the request has no route. */
export function isOfReceipt(request: FastifyRequest): boolean {
  return RECEIPTS.test(routeOrPath(request));
}

export function isServed(door: Door, route: string): boolean {
  return door === "machine" ? !TILLS_ONLY.has(route) : SERVED[door].test(route);
}

/**
 * Hides routes of another listener: opening one listener does not open the other
 * (rules#access-network-tls).
 */
export function guardDoor(request: FastifyRequest): void {
  if (!isServed(doorOf(request), routeOrPath(request))) throw nothingThere(request);
}

export function nothingThere(request: FastifyRequest): Problem {
  return new Problem("NOT_FOUND", `There is nothing at ${pathOf(request)}.`);
}

function routeOrPath(request: FastifyRequest): string {
  return request.routeOptions.url ?? pathOf(request);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}
