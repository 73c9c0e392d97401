import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Input } from "../contract/common.ts";
import { Problem } from "../contract/problem.ts";
import type { App } from "./app-types.ts";

const RULES = { removeAdditional: false, allErrors: true, verbose: true, coerceTypes: false };

let ajv: Ajv | undefined;
/** Validators by schema text, because many operations have the same parameters. */
const validators = new Map<string, ValidateFunction>();

interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** An integer as written in a query. `0x10`, `1e3` and `Infinity` remain texts. */
const INTEGER = /^-?\d{1,16}$/;

/**
 * Validates strictly. In a body, `"3"` is not 3. In a query, all values are texts, so `3` becomes
 * an integer if its schema requires one. Null for an optional field counts as absent
 * (rules#v1-tolerant-requests).
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    const validate = compileWhenAsked(schema);
    if (httpPart === "body") {
      return (body: unknown) => {
        const value = withoutNulls(schema, body);
        return validate(value) ? { value } : { error: validate.errors ?? [] };
      };
    }
    if (httpPart !== "querystring") return validate;
    const integers = integersOf(schema);
    return (query: Record<string, unknown>) => {
      const value = { ...query };
      for (const name of integers) {
        const text = value[name];
        if (typeof text === "string" && INTEGER.test(text)) value[name] = Number(text);
      }
      return validate(value) ? { value } : { error: validate.errors ?? [] };
    };
  };
}

/**
 * Compiles a schema on first use: compiling all schemas would take a quarter of the startup time.
 */
function compileWhenAsked(schema: TSchema): Validator {
  let compiled: ValidateFunction | undefined;
  const validate: Validator = (value) => {
    compiled ??= compileOnce(schema);
    const fits = compiled(value);
    validate.errors = compiled.errors ?? null;
    return fits;
  };
  return validate;
}

function compileOnce(schema: TSchema): ValidateFunction {
  const text = JSON.stringify(schema);
  ajv ??= addFormats.default(new Ajv(RULES));
  const compiled = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, compiled);
  return compiled;
}

/** Refuses any parameter of operations that declare no parameters, because it may be misspelt. */
export function refuseUnknownParameters(app: App): void {
  app.addHook("onRoute", (route) => {
    if (!route.schema || route.schema.querystring) return;
    route.schema = { ...route.schema, querystring: Input({}) };
  });
}

function integersOf(schema: TSchema): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.keys(properties).filter((name) => properties[name]?.type === "integer");
}

interface Shape {
  type?: string | readonly string[];
  anyOf?: readonly Shape[];
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
}

/**
 * Removes null from optional fields whose schema does not permit null (rules#v1-tolerant-requests).
 */
function withoutNulls(schema: TSchema, body: unknown): unknown {
  return strip(schema, body);
}

function strip(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((item) => strip(items, item)) : value;
  }
  const { properties, required = [] } = shape;
  if (typeof value !== "object" || value === null || !properties) return value;
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!field) return [[name, inner]];
    const isAbsent = inner === null && !required.includes(name) && !takesNull(field);
    return isAbsent ? [] : [[name, strip(field, inner)]];
  });
  return Object.fromEntries(kept);
}

function takesNull({ type, anyOf }: Shape): boolean {
  return type === "null" || type?.includes("null") === true || anyOf?.some(takesNull) === true;
}

/**
 * Refuses unpaired surrogates. The stored text would differ, so a repeat would not be recognized,
 * and strict parsers would reject the record.
 */
export function requireWholeText(app: App): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const field = findBrokenText(request.body);
    if (field === undefined) return done();
    const rule = "has half of a character";
    done(new Problem("INVALID_REQUEST", `${field} ${rule}.`, { [field]: rule }));
  });
}

function findBrokenText(body: unknown): string | undefined {
  const rest: [path: string, value: unknown][] = [["", body]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [path, value] = next;
    if (typeof value === "string" && !value.isWellFormed()) return path || "body";
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value).reverse()) {
      rest.push([path === "" ? name : `${path}.${name}`, inner]);
    }
  }
  return undefined;
}
