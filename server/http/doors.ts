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
  till: /^\/(pos\/|\*?$|display$|enrol$|authority\.crt$)/,
};

/** What devices of the network are let in by; this machine is in by nature. */
const TILLS_ONLY: ReadonlySet<string> = new Set(["/enrol", "/authority.crt"]);

/** Whether a listener serves a route. */
export function isServed(door: Door, route: string): boolean {
  return door === "machine" ? !TILLS_ONLY.has(route) : SERVED[door].test(route);
}

/**
 * Refuses what the listener does not serve, as if there were no such thing, so that opening one to the
 * network does not open the other (rules#access-doors).
 */
export function guardDoor(request: FastifyRequest): void {
  const door = doorOf(request);
  const path = request.url.split("?", 1)[0] ?? "";
  if (isServed(door, request.routeOptions.url ?? path)) return;
  throw new Problem("NOT_FOUND", `There is nothing at ${path}.`);
}
