import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";

/**
 * Error for a JSON text that does not match its schema. The message names fields, but never values.
 */
export class JsonMisfit extends Error {
  constructor(label: string, fault: string) {
    super(`${label} is not as this program writes it: ${fault}`);
  }
}

type Check = ReturnType<typeof Compile>;
const checks = new WeakMap<TSchema, Check>();

/**
 * Parses a JSON text, and checks its fields, types and enumerations. Keeps unknown fields. Does not
 * check limits, patterns and formats, which may have changed since the text was written and would
 * take twenty times as long.
 * @param label name of the text in the error
 * @throws JsonMisfit
 */
export function readJson<Schema extends TSchema>(
  schema: Schema,
  text: string,
  label: string | (() => string),
): Static<Schema> {
  const value = parse(text);
  if (fits(schema, value)) return value;
  const fault = value === undefined ? "it is not JSON" : describeMisfit(schema, value);
  throw new JsonMisfit(typeof label === "string" ? label : label(), fault);
}

/** Like `readJson`, but returns undefined if the text does not match. */
export function findJson<Schema extends TSchema>(
  schema: Schema,
  text: string,
): Static<Schema> | undefined {
  const value = parse(text);
  return fits(schema, value) ? value : undefined;
}

/** Replaces the parser's error message, which quotes the text and may reveal a secret. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return checkOf(schema).Check(value);
}

function checkOf(schema: TSchema): Check {
  const known = checks.get(schema);
  if (known) return known;
  const check = Compile(shapeOf(schema));
  checks.set(schema, check);
  return check;
}

function describeMisfit(schema: TSchema, value: unknown): string {
  const [first] = checkOf(schema).Errors(value);
  if (!first) return "it does not fit";
  const field = first.instancePath.slice(1).replaceAll("/", ".");
  return `${field === "" ? "it" : field} ${first.message}`;
}

interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
}

function shapeOf(schema: TSchema): TSchema {
  const { type, const: only, enum: values, required, properties, ...inner }: Shape = schema;
  const { patternProperties, items, anyOf } = inner;
  const shape: Shape = {
    ...(type !== undefined && { type }),
    ...(only !== undefined && { const: only }),
    ...(values && { enum: values }),
    ...(required && { required }),
    ...(properties && { properties: shapesOf(properties) }),
    ...(patternProperties && { patternProperties: shapesOf(patternProperties) }),
    ...(items && { items: shapeOf(items) }),
    ...(anyOf && { anyOf: anyOf.map(shapeOf) }),
  };
  return Type.Unsafe(shape);
}

function shapesOf(schemas: Record<string, TSchema>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, shapeOf(one)]));
}
