import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../contract/problem.ts";
import { checkJsonText, JsonFault } from "../lib/json-text.ts";

/**
 * Accepts only JSON in UTF-8. Invalid UTF-8 is refused, because replacement characters would change
 * names. A duplicate property is refused, because parsers differ: `JSON.parse` uses the last value,
 * others the first. An operation without a body accepts any empty body
 * (rules#v1-tolerant-requests).
 */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, bytes, done) => {
      if (bytes.length === 0 && takesNoBody(request)) return done(null);
      const encoding = request.headers["content-encoding"] ?? "identity";
      if (encoding.toLowerCase() !== "identity") return done(isCompressed(encoding));
      const text = decode(bytes);
      if (text === undefined) return done(notUtf8());
      void parse(request, text, (error, body) => {
        if (error) return done(error);
        try {
          checkJsonText(text.startsWith("\ufeff") ? text.slice(1) : text);
        } catch (fault) {
          return done(toProblem(fault));
        }
        done(null, body);
      });
    },
  );
  app.addContentTypeParser("*", (request, _payload, done) => {
    if (takesNoBody(request) && isEmpty(request)) return done(null);
    done(new Problem("UNSUPPORTED_MEDIA_TYPE", "The request body must be application/json."));
  });
}

function takesNoBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body === undefined;
}

function isEmpty({ headers }: FastifyRequest): boolean {
  return Number(headers["content-length"] ?? 0) === 0 && !headers["transfer-encoding"];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @returns undefined for invalid UTF-8 */
function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function isCompressed(encoding: string): Problem {
  return new Problem(
    "UNSUPPORTED_MEDIA_TYPE",
    `The request body must not be compressed: its content-encoding is ${encoding.slice(0, 32)}.`,
    { "content-encoding": "must be left out" },
  );
}

function notUtf8(): Problem {
  return new Problem("INVALID_REQUEST", "The request body is not UTF-8.", {
    body: "must be UTF-8",
  });
}

function toProblem(fault: unknown): Error {
  if (!(fault instanceof JsonFault)) return fault as Error;
  if (!fault.repeated) {
    const message = `The request body ${fault.message}.`;
    return new Problem("INVALID_REQUEST", message, { body: fault.message });
  }
  const field = fault.repeated.join(".");
  return new Problem("INVALID_REQUEST", `The request body has ${field} twice.`, {
    [field]: "is given twice",
  });
}
