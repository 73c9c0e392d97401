import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";

/** Listener of a request: this machine's own, that of `/v1`, or that of the tills. */
export type Door = "machine" | "api" | "till";

const doors = new WeakMap<IncomingMessage, Door>();

/** Records a request's listener, before anything else is evaluated. */
export function enterBy(request: IncomingMessage, door: Door): void {
  doors.set(request, door);
}

export function doorOf({ raw }: Pick<FastifyRequest, "raw">): Door {
  return doors.get(raw) ?? "machine";
}

/** Routes that each network listener serves. Routes, because an address has many spellings. */
const SERVED: Record<Exclude<Door, "machine">, RegExp> = {
  api: /^\/(v1\/|hooks\/|docs$|docs\/)/,
  till: /^\/(pos\/|r\/|\*?$|display$|enrol$|authority\.crt$)/,
};

/** Enrolment of devices, which this machine does not need. */
const TILLS_ONLY: ReadonlySet<string> = new Set(["/enrol", "/authority.crt"]);

/** Pages of receipts, which the tills' listener serves only if the shop has an address for them. */
const RECEIPTS = /^\/r\//;

/** Returns whether a request is for a receipt page, by its route, or by its path if it has none. */
export function isOfReceipt(request: FastifyRequest): boolean {
  return RECEIPTS.test(routeOrPath(request));
}

/** Returns whether a listener serves a route. */
export function isServed(door: Door, route: string): boolean {
  return door === "machine" ? !TILLS_ONLY.has(route) : SERVED[door].test(route);
}

/**
 * Refuses routes that the listener does not serve like unknown ones, so that opening one listener does not
 * open the other (rules#access-network-tls).
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
