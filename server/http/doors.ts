import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";

/** By which listener a request came: this machine's own, or that of `/v1` or of tills on the network. */
export type Door = "machine" | "api" | "till";

const doors = new WeakMap<IncomingMessage, Door>();

/** Notes by which listener a request came in, before it is looked at. */
export function enterBy(request: IncomingMessage, door: Door): void {
  doors.set(request, door);
}

export function doorOf({ raw }: Pick<FastifyRequest, "raw">): Door {
  return doors.get(raw) ?? "machine";
}

/** What each listener of the network serves, by the route: an address can be written in many ways. */
const SERVED: Record<Exclude<Door, "machine">, RegExp> = {
  api: /^\/(v1\/|hooks\/|docs$|docs\/)/,
  till: /^\/(pos\/|r\/|\*?$|display$|enrol$|authority\.crt$)/,
};

/** What devices of the network are let in by; this machine is in by nature. */
const TILLS_ONLY: ReadonlySet<string> = new Set(["/enrol", "/authority.crt"]);

/** The pages of receipts: the tills' listener has them only while the shop has an address for them. */
const RECEIPTS = /^\/r\//;

/** Whether what is asked for is the page of a receipt, by its route and else by its path. */
export function isOfReceipt(request: FastifyRequest): boolean {
  return RECEIPTS.test(routeOrPath(request));
}

/** Whether a listener serves a route. */
export function isServed(door: Door, route: string): boolean {
  return door === "machine" ? !TILLS_ONLY.has(route) : SERVED[door].test(route);
}

/**
 * Refuses what the listener does not serve, as if there were no such thing, so that opening one to the
 * network does not open the other (rules#access-network-tls).
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
