import { type App, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { SearchIndexService } from "./search-index-service.ts";

/** `GET /pos/search-index`, see `PosSearchIndex`. */
export function registerSearchRoutes(app: App, search: SearchIndexService): void {
  app.get("/search-index", { onRequest: requireStaff }, async (request, reply) => {
    const { text, etag } = await search.get(cashierOf(request));
    reply.headers({ etag, "cache-control": "private, no-cache" });
    if (request.headers["if-none-match"] === etag) return reply.status(304).send();
    return reply.type("application/json; charset=utf-8").send(text);
  });
}
