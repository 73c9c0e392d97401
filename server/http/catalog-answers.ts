import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { App } from "./app-types.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Marks a route whose answer changes seldom: it is compressed, and a client that has it already
     * gets 304.
     */
    catalogAnswer?: boolean;
  }
}

/** On a route whose answers are large and change seldom. */
export const CATALOG_ANSWER = { catalogAnswer: true } as const;

type Encoding = "br" | "gzip";
/** The best first; every client that accepts compression at all understands both. */
const ENCODINGS: Encoding[] = ["br", "gzip"];
/** Below this size compression saves no packet. */
const LEAST_COMPRESSED_BYTES = 1024;
/** Most of what the best quality saves, in a fiftieth of its time. */
const BROTLI_QUALITY = 5;

/** The tag and compressed forms of an answer's bytes, kept for as long as the bytes are. */
interface Made {
  etag: string;
  compressed: Map<Encoding, Buffer>;
}

/**
 * Answers of routes with `CATALOG_ANSWER`: an entity tag over their content, 304 to a client that has
 * that content, and brotli or gzip for one that takes it. Bytes that were prepared are hashed and
 * compressed once. Compressing is done by the thread pool, never by the gateway's own thread.
 */
export function registerCatalogAnswers(app: App): void {
  const known = new WeakMap<Buffer, Made>();

  app.addHook("onSend", (request, reply, payload, done) => {
    const isText = typeof payload === "string" || Buffer.isBuffer(payload);
    if (!request.routeOptions.config.catalogAnswer || reply.statusCode !== 200 || !isText) {
      return done(null, payload);
    }
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const made: Made = known.get(bytes) ?? { etag: tagOf(bytes), compressed: new Map() };
    known.set(bytes, made);
    reply.headers({
      etag: made.etag,
      // It depends on the key, and prices change at any moment.
      "cache-control": "private, no-cache",
      vary: "accept-encoding, authorization",
    });
    if (isKnownTo(request.headers["if-none-match"], made.etag)) {
      reply.status(304).removeHeader("content-type").removeHeader("content-length");
      return done(null, null);
    }
    const encoding = encodingFor(request.headers["accept-encoding"]);
    if (!encoding || bytes.length < LEAST_COMPRESSED_BYTES) return done(null, bytes);
    reply.header("content-encoding", encoding).removeHeader("content-length");
    const compressed = made.compressed.get(encoding);
    if (!compressed) return compressAndKeep(bytes, encoding, made);
    return done(null, compressed);
  });
}

async function compressAndKeep(bytes: Buffer, encoding: Encoding, made: Made): Promise<Buffer> {
  const compressed = await compress(bytes, encoding);
  made.compressed.set(encoding, compressed);
  return compressed;
}

/** Weak: it is the content's, whatever it is compressed with. */
function tagOf(bytes: Buffer): string {
  return `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
}

/** RFC 9110 §13.1.2: a list of tags, compared without their weakness, or `*`. */
function isKnownTo(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => bare(tag) === bare(etag));
}

function encodingFor(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  return negotiate(String(header ?? ""), ENCODINGS) ?? undefined;
}

function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(bytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return promisify(brotliCompress)(bytes, { params });
}
