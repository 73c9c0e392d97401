import fc, { type Arbitrary } from "fast-check";
import type { ApiDocument, ApiSchema } from "./api-document.ts";

/** Existing values of the gateway, by the name of their field or parameter. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** Generates values that a schema allows. Values of the pools are frequent. */
export function validValues(
  api: ApiDocument,
  described: ApiSchema,
  pools: Pools,
  name = "",
): Arbitrary<unknown> {
  const schema = api.resolve(described);
  const own = fromSchema(api, schema, pools);
  const known = pools[name] ?? [];
  if (known.length === 0) return own;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...known), weight: 3 },
    { arbitrary: own, weight: 1 },
  );
}

function fromSchema(api: ApiDocument, schema: ApiSchema, pools: Pools): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case "object":
      return validObject(api, schema, pools);
    case "array":
      return fc.array(validValues(api, schema.items, pools), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case "integer":
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1e6, 1e6) });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    default:
      return validText(schema);
  }
}

function validText(schema: ApiSchema): Arbitrary<string> {
  const date = fc.date({
    min: new Date("2020-01-01"),
    max: new Date("2029-12-31"),
    noInvalidDate: true,
  });
  if (schema.format === "date-time") return date.map((time) => time.toISOString());
  if (schema.format === "date") return date.map((time) => time.toISOString().slice(0, 10));
  if (schema.pattern) {
    const { minLength = 0, maxLength = Infinity } = schema;
    return fc
      .stringMatching(new RegExp(schema.pattern))
      .filter(({ length }) => length >= minLength && length <= maxLength);
  }
  return fc.string({
    minLength: schema.minLength ?? 0,
    maxLength: Math.min(schema.maxLength ?? 40, 40),
  });
}

function validObject(api: ApiDocument, schema: ApiSchema, pools: Pools): Arbitrary<unknown> {
  const properties = Object.entries<ApiSchema>(schema.properties ?? {});
  const values = Object.fromEntries(
    properties.map(([name, property]) => [name, validValues(api, property, pools, name)]),
  );
  return fc.record(values, { requiredKeys: schema.required ?? [] });
}

export const ODD_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\n",
  "\ud800",
  "é",
  "e\u0301",
  "😀",
  "\u202egnp.exe",
  "\ufeff",
  "../../etc/passwd",
  "' OR 1=1 --",
  '";DROP TABLE transactions;--',
  "%",
  "%00",
  "*",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "0x10",
  "1e3",
  "-0",
  "9007199254740993",
  "٣",
  "x".repeat(129),
  "x".repeat(5_000),
];

/** Values of every JSON type. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e308,
  [],
  [[]],
  {},
  { toString: 1 },
  ...ODD_TEXTS,
];
