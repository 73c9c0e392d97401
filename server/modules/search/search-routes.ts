import { searchOperations } from "../../contract/pos/search-operations.ts";
import type { App } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { SearchIndexService } from "./search-index-service.ts";

/** Everything that is sold, made ready before: its text is sent as it is, or not at all. */
export function registerSearchRoutes(app: App, search: SearchIndexService): void {
  handle(app, searchOperations.getIndex, async ({ actor, request, reply }) => {
    const { text, etag } = await search.get(actor);
    reply.headers({ etag, "cache-control": "private, no-cache" });
    if (request.headers["if-none-match"] === etag) return reply.status(304).send();
    return reply.type("application/json; charset=utf-8").send(text);
  });
}
