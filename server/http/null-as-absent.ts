import type { TSchema } from "typebox";

/** The part of a JSON schema that says which fields may be left out. */
interface Shape {
  type?: string | readonly string[];
  anyOf?: readonly Shape[];
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
}

/**
 * The same body without the optional fields that are null: null for an optional field counts as
 * absent (rules#v1-tolerant-requests). A required field stays null, and so does one whose schema takes null.
 */
export function withoutNulls(schema: TSchema, body: unknown): unknown {
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
