import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { Problem } from "../contract/problem.ts";
import type { App } from "./app-types.ts";

const YEAR_S = 31_536_000;

/** The till's pages, from the gateway's own origin. Its routes live in the browser. */
export async function registerPages(app: App, rendererDir: string): Promise<void> {
  if (!existsSync(join(rendererDir, "index.html"))) {
    app.get("/", { schema: { hide: true } }, () => {
      throw new Problem("NOT_FOUND", "The till's pages are not built: run npm run build.");
    });
    return;
  }
  // One page for the till and for the screen before the customer, which has an address of its own.
  app.get("/display", { schema: { hide: true } }, (_request, reply) =>
    reply.sendFile("index.html"),
  );
  await app.register(fastifyStatic, {
    root: rendererDir,
    wildcard: true,
    setHeaders(reply, path) {
      // Built files carry a digest in their names; the page that names them does not.
      const lasting = path.includes(`${join(rendererDir, "assets")}`);
      reply.header("cache-control", lasting ? `public, max-age=${YEAR_S}, immutable` : "no-cache");
    },
  });
}
