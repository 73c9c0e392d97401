import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { App } from "./app-types.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    catalogAnswer?: boolean;
  }
}

/** Marks routes whose responses are large and change seldom. */
export const CATALOG_ANSWER = { catalogAnswer: true } as const;

type Encoding = "br" | "gzip";
const ENCODINGS: Encoding[] = ["br", "gzip"];
/** Smaller responses are not compressed, because that would save no network packet. */
const MIN_COMPRESSED_BYTES = 1024;
/** This quality takes a fiftieth of the time of the best quality, and saves almost as much. */
const BROTLI_QUALITY = 5;

/** Entity tag and compressed copies of a response. Retained as long as the response's bytes. */
interface Made {
  etag: string;
  compressed: Map<Encoding, Buffer>;
}

/**
 * Handles responses of routes with `CATALOG_ANSWER`: adds entity tags, responds with 304, and
 * compresses on request, in the thread pool. Stored bytes are hashed and compressed only once.
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
      // The content depends on the key, and prices may change at any time.
      "cache-control": "private, no-cache",
      vary: "accept-encoding, authorization",
    });
    if (matchesTag(request.headers["if-none-match"], made.etag)) {
      reply.status(304).removeHeader("content-type").removeHeader("content-length");
      return done(null, null);
    }
    const encoding = encodingFor(request.headers["accept-encoding"]);
    if (!encoding || bytes.length < MIN_COMPRESSED_BYTES) return done(null, bytes);
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

/** A weak tag identifies the content regardless of its compression. */
function tagOf(bytes: Buffer): string {
  return `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
}

/** Compares tags weakly, or accepts `*` (RFC 9110 section 13.1.2). */
function matchesTag(header: string | undefined, etag: string): boolean {
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
