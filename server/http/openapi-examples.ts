import recorded from "./record-samples.json" with { type: "json" };

/** Answers of the simulator by the title of their schema; `npm run openapi:write` records them. */
export const RECORD_SAMPLES: Readonly<Record<string, unknown>> = recorded;

/** A JSON schema, as far as the description of `/v1` uses it. */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  additionalProperties?: Schema | boolean;
}

/**
 * An example of what a schema describes: the record of its title, its own example, or one put
 * together from its parts. An optional field is part of it when it has an example of its own.
 */
export function exampleOf(schema: Schema): unknown {
  const { title, examples, anyOf, type } = schema;
  if (title !== undefined && title in RECORD_SAMPLES) return RECORD_SAMPLES[title];
  if (examples) return examples[0];
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  switch (type) {
    case "object":
      return exampleOfObject(schema);
    case "array":
      return schema.items ? [exampleOf(schema.items)] : [];
    case "integer":
    case "number":
      return 0;
    case "boolean":
      return false;
    default:
      return schema.format === "date-time" ? "2026-01-15T09:30:00.000Z" : "";
  }
}

function exampleOfObject({ properties = {}, required = [] }: Schema): unknown {
  const shown = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || property.examples !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property)]));
}
