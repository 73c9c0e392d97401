import type { TSchema } from "typebox";

interface Shape {
  properties?: Record<string, TSchema>;
  items?: TSchema;
}

/**
 * Copies a value with its fields in the order of its schema and without unknown fields, so that
 * `JSON.stringify` returns the same text as a compiled serializer.
 */
export function orderFieldsBy(schema: TSchema): <Value>(value: Value) => Value {
  const order = orderOf(schema);
  return <Value>(value: Value) => (order ? (order(value) as Value) : value);
}

function orderOf(schema: TSchema): ((value: unknown) => unknown) | undefined {
  const { properties, items } = schema as Shape;
  if (properties) return objectOrder(properties);
  const order = items && orderOf(items);
  return order && ((value) => (value as unknown[]).map(order));
}

function objectOrder(properties: Record<string, TSchema>): (value: unknown) => unknown {
  const fields = Object.entries(properties).map(
    ([name, schema]): [string, ReturnType<typeof orderOf>] => [name, orderOf(schema)],
  );
  return (value) => {
    const given = value as Record<string, unknown>;
    const ordered: Record<string, unknown> = {};
    for (const [name, order] of fields) {
      const field = given[name];
      if (field !== undefined) ordered[name] = order ? order(field) : field;
    }
    return ordered;
  };
}
