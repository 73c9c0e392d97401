import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { App } from "./app-types.ts";
import type { GuidePages } from "./guides/guide-pages.ts";

const KEPT_HEADERS = ["content-type", "cache-control", "etag", "last-modified", "location"];

/** Addresses of the API explorer in versions that served it at `/docs`. */
const MOVED = /^(?:json|yaml|index\.html|static\/.*|uiConfig|initOAuth)$/;

interface DocsOptions {
  version: string;
  /** Folder of the guides. */
  guidesDir: string;
  /** Command of this installation, in place of the command of a clone. */
  commandLine: string;
  /** Routes of sandboxes, which this gateway may not serve itself. */
  sandboxRoutes: readonly RouteOptions[];
}

/**
 * Serves the description of `/v1` and `/sandbox/v1`, the API explorer at `/docs/api` and the guides at `/docs`. All
 * are built on the first request. Must be called before the routes of `/v1` are registered.
 */
export function registerDocs(app: App, options: DocsOptions): void {
  const { version, guidesDir, commandLine, sandboxRoutes } = options;
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    if (route.url.startsWith("/v1/") && route.method !== "HEAD") routes.push(route);
  });
  let making: Promise<FastifyInstance> | undefined;
  const findDocs = () => {
    making ??= import("./openapi.ts").then(({ makeDocs }) =>
      makeDocs([...routes, ...sandboxRoutes], version),
    );
    return making;
  };
  app.addHook("onClose", async () => (await making)?.close());

  app.get("/v1/openapi.json", { schema: { hide: true } }, async () => (await findDocs()).swagger());
  const showExplorer = async (request: FastifyRequest, reply: FastifyReply) => {
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
  app.get("/docs/api", { schema: { hide: true } }, showExplorer);
  app.get("/docs/api/*", { schema: { hide: true } }, showExplorer);

  let guides: Promise<GuidePages> | undefined;
  const findGuides = () => {
    guides ??= import("./guides/guide-pages.ts").then(
      (pages) => new pages.GuidePages(guidesDir, commandLine),
    );
    return guides;
  };
  const showGuide = async (request: FastifyRequest, reply: FastifyReply) => {
    const { "*": path = "" } = request.params as { "*"?: string };
    if (MOVED.test(path)) return reply.redirect(`/docs/api/${encodeURI(path)}`, 301);
    const { q } = request.query as { q?: unknown };
    return (await findGuides()).show(path, typeof q === "string" ? q : "", reply);
  };
  app.get("/docs", { schema: { hide: true } }, showGuide);
  app.get("/docs/*", { schema: { hide: true } }, showGuide);
  app.get("/llms.txt", { schema: { hide: true } }, async (_request, reply) =>
    (await findGuides()).showForModels(reply),
  );
}
