import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";

export type Door = "machine" | "api" | "till";

const doors = new WeakMap<IncomingMessage, Door>();

export function enterBy(request: IncomingMessage, door: Door): void {
  doors.set(request, door);
}

export function doorOf({ raw }: Pick<FastifyRequest, "raw">): Door {
  return doors.get(raw) ?? "machine";
}

/**
 * Routes of each network listener. Routes are compared instead of paths, because a path has many
 * spellings.
 */
const SERVED: Record<Exclude<Door, "machine">, RegExp> = {
  api: /^\/(v1\/|hooks\/|docs$|docs\/|llms\.txt$|sandbox\/v1\/)/,
  till: /^\/(pos\/|r\/|\*?$|display$|enrol$|authority\.crt$)/,
};

/** Routes for the enrolment of devices. This machine's listener does not serve them. */
const TILLS_ONLY: ReadonlySet<string> = new Set(["/enrol", "/authority.crt"]);

const SANDBOX = "/sandbox/v1";

/** Receipt pages. The tills' listener serves them only if the shop has an address for receipts. */
const RECEIPTS = /^\/r\//;

/** Returns whether the request is for a receipt page. If it has no route, its path decides. */
export function isOfReceipt(request: FastifyRequest): boolean {
  return RECEIPTS.test(routeOrPath(request));
}

export function isServed(door: Door, route: string): boolean {
  return door === "machine" ? !TILLS_ONLY.has(route) : SERVED[door].test(route);
}

/**
 * Hides the routes of other listeners, because opening one listener must not open another
 * (rules#access-network-tls).
 */
export function guardDoor(request: FastifyRequest): void {
  if (!isServed(doorOf(request), routeOrPath(request))) throw nothingThere(request);
}

export function nothingThere(request: FastifyRequest): Problem {
  return nothingAt(pathOf(request));
}

export function nothingAt(path: string): Problem {
  const advice = path.startsWith(SANDBOX) ? ` Only the key of a sandbox reaches ${SANDBOX}.` : "";
  return new Problem("NOT_FOUND", `There is nothing at ${path}.${advice}`);
}

function routeOrPath(request: FastifyRequest): string {
  return request.routeOptions.url ?? pathOf(request);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}
