import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyError } from "fastify";
import { Problem } from "../contract/problem.ts";
import { describeFileFault } from "../lib/storage-fault.ts";
import type { App } from "./app-types.ts";
import { handleError } from "./error-handler.ts";

const YEAR_S = 31_536_000;

export async function registerPages(app: App, rendererDir: string): Promise<void> {
  if (!existsSync(join(rendererDir, "index.html"))) {
    app.get("/", { schema: { hide: true } }, () => {
      throw new Problem("NOT_FOUND", "The till's pages are not built: run npm run build.");
    });
    return;
  }
  await app.register(async (pages) => {
    pages.setErrorHandler<FastifyError>((error, request, reply) =>
      // Extra leading slashes open the till. The browser keeps the part after "#".
      /^\/{2,}$/.test(request.url)
        ? reply.redirect("/")
        : handleError(isOfFile(error) ? unreadable(error) : error, request, reply),
    );
    pages.get("/display", { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile("index.html"),
    );
    // Screens of the till have their address after "#", which browsers do not send.
    for (const path of ["/office", "/office/*"]) {
      pages.get(path, { schema: { hide: true } }, (request, reply) =>
        reply.redirect(`/#${request.url}`),
      );
    }
    await pages.register(fastifyStatic, {
      root: rendererDir,
      wildcard: true,
      // The build also writes compressed copies of scripts and styles.
      preCompressed: true,
      setHeaders(reply, path) {
        // Names of built files contain a digest, except the page itself.
        const lasting = path.includes(`${join(rendererDir, "assets")}`);
        reply.header(
          "cache-control",
          lasting ? `public, max-age=${YEAR_S}, immutable` : "no-cache",
        );
      },
    });
  });
}

function isOfFile(error: Error): boolean {
  return "syscall" in error;
}

/** Returns a temporary error, so that the till retries. */
function unreadable(error: Error): Problem {
  return new Problem(
    "SYSTEM_UNAVAILABLE",
    `The page cannot be read: ${describeFileFault(error)}. Try again shortly.`,
  );
}
