import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { App } from "./app-types.ts";

const KEPT_HEADERS = ["content-type", "cache-control", "etag", "last-modified", "location"];

/**
 * Serves the description of `/v1` and the page at `/docs`. Both are built on the first request.
 * Must be called before the routes of `/v1` are registered.
 */
export function registerDocs(app: App, version: string): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    if (route.url.startsWith("/v1/") && route.method !== "HEAD") routes.push(route);
  });
  let making: Promise<FastifyInstance> | undefined;
  const findDocs = () => {
    making ??= import("./openapi.ts").then(({ makeDocs }) => makeDocs(routes, version));
    return making;
  };
  app.addHook("onClose", async () => (await making)?.close());

  app.get("/v1/openapi.json", { schema: { hide: true } }, async () => (await findDocs()).swagger());
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { url, headers } = request;
    const held = headers["if-none-match"];
    const conditions = { ...(held !== undefined && { "if-none-match": held }) };
    const answer = await (await findDocs()).inject({ url, headers: conditions });
    if (answer.statusCode === 404) return reply.callNotFound();
    for (const name of KEPT_HEADERS) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.status(answer.statusCode).send(answer.rawPayload);
  };
  app.get("/docs", { schema: { hide: true } }, show);
  app.get("/docs/*", { schema: { hide: true } }, show);
}
