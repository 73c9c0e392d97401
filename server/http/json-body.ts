import type { FastifyInstance } from "fastify";
import { Problem } from "../contract/problem.ts";
import { checkJsonText, JsonFault } from "../lib/json-text.ts";

/**
 * Bodies are JSON; anything else is 415. A body that has one name twice is refused: another reader on
 * its way may have gone by the first of them, and `JSON.parse` goes by the last.
 */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, text, done) => {
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
