import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";

/** An unknown field is an error, never dropped; every fault is reported, with its schema. */
const RULES = { removeAdditional: false, allErrors: true, verbose: true } as const;

/**
 * Checks requests exactly as their schemas say. A body's `"3"` is not 3; a query string is all
 * text, so there `3` is.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const strict = addFormats.default(new Ajv({ ...RULES, coerceTypes: false }));
  const coercing = addFormats.default(new Ajv({ ...RULES, coerceTypes: true }));
  return ({ schema, httpPart }) => (httpPart === "querystring" ? coercing : strict).compile(schema);
}
