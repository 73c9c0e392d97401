import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";
import type { App } from "./app-types.ts";
import { doorOf, isServed, nothingAt } from "./doors.ts";
import { toErrorBody } from "./error-handler.ts";

interface KnownRoute {
  method: string;
  url: string;
}

/**
 * Responds to requests without a route: 405 with `Allow` if the path has another method, otherwise
 * 404. Paths of another listener count as missing. Must be called before the routes are registered.
 */
export function registerNotFound(app: App): void {
  const routes: KnownRoute[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    // Excludes the catch-all route of the till's pages, because it matches every path.
    if (url.includes("*")) return;
    for (const name of [method].flat()) routes.push({ method: name, url });
  });

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split("?", 1)[0]?.replace(/(?<=.)\/$/, "") ?? "";
    const door = doorOf(request);
    const allowed = routes
      .filter((route) => patternOf(route.url).test(path) && isServed(door, route.url))
      .map(({ method }) => method);
    const problem =
      allowed.length > 0
        ? new Problem("METHOD_NOT_ALLOWED", `${request.method} is not possible on ${path}.`)
        : nothingAt(path);
    if (allowed.length > 0) reply.header("allow", [...new Set(allowed)].join(", "));
    return reply.status(problem.status).send(toErrorBody(problem));
  });
}

const patterns = new Map<string, RegExp>();

/**
 * Compiles a route's pattern when it is first needed: there are hundreds of patterns, and a start
 * needs none.
 */
function patternOf(url: string): RegExp {
  const known = patterns.get(url);
  if (known) return known;
  const text = url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[^/]+/g, "[^/]+");
  const pattern = new RegExp(`^${text}$`);
  patterns.set(url, pattern);
  return pattern;
}
