/**
 * Type of a field. In an object, a name ending in `?` is optional. A name ending in `+` or `+?` is
 * an addition to the specification; all other fields are in the order of the specification. All
 * items of a list have one type.
 */
export type Shape =
  | "text"
  | "time"
  | "integer"
  | "number"
  | "boolean"
  | readonly [Shape]
  | ShapeOfObject;
export interface ShapeOfObject {
  readonly [field: string]: Shape;
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Lists the differences between a value and a shape: missing and additional fields, and wrong
 * types.
 */
export function faultsOfShape(value: unknown, shape: Shape, path = ""): string[] {
  return faultsOf(value, shape, path, {});
}

/** Like `faultsOfShape`, and also lists fields that deviate from the specification's order. */
export function faultsOfRecord(value: unknown, shape: Shape, path = ""): string[] {
  return faultsOf(value, shape, path, { isInOrder: true });
}

/** Like `faultsOfShape`, but allows additional fields: `/v1` may gain some (rules#v1-only-grows). */
export function faultsOfAnswer(value: unknown, shape: Shape): string[] {
  return faultsOf(value, shape, "", { allowsMore: true });
}

interface Strictness {
  readonly isInOrder?: boolean;
  readonly allowsMore?: boolean;
}

function faultsOf(value: unknown, shape: Shape, path: string, strictness: Strictness): string[] {
  if (typeof shape === "string") return isOf(value, shape) ? [] : [`${path} is not ${shape}`];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    const [item] = shape as readonly [Shape];
    return value.flatMap((entry, n) => faultsOf(entry, item, `${path}[${n}]`, strictness));
  }
  if (typeof value !== "object" || value === null) return [`${path} is not an object`];
  const record = value as Record<string, unknown>;
  const fields = Object.entries(shape as ShapeOfObject);
  const names = new Set(fields.map(([name]) => bareName(name)));
  const extra = strictness.allowsMore ? [] : Object.keys(record).filter((name) => !names.has(name));
  return [
    ...extra.map((name) => `${path}.${name} is not a field`),
    ...fields.flatMap(([name, type]) => {
      const field = bareName(name);
      if (field in record) return faultsOf(record[field], type, `${path}.${field}`, strictness);
      return name.endsWith("?") ? [] : [`${path}.${field} is missing`];
    }),
    ...(strictness.isInOrder ? faultsOfOrder(record, Object.keys(shape), path) : []),
  ];
}

function faultsOfOrder(record: Record<string, unknown>, names: string[], path: string): string[] {
  const listed = names.filter((name) => !name.includes("+"));
  const groups = [
    listed.filter((name) => !name.endsWith("?")),
    listed.filter((name) => name.endsWith("?")).map(bareName),
  ];
  return groups.flatMap((group) => {
    const served = Object.keys(record).filter((name) => group.includes(name));
    const expected = group.filter((name) => name in record);
    return served.join() === expected.join() ? [] : [`${path} has its fields as ${served.join()}`];
  });
}

function bareName(name: string): string {
  return name.replace(/\+?\??$/, "");
}

function isOf(value: unknown, type: string): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "time":
      return typeof value === "string" && TIMESTAMP.test(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}
