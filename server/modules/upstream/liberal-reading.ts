import type { TSchema } from "typebox";

/** As much of a schema as reading needs. */
interface Shape {
  type?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Shape>;
  items?: Shape;
}

/** Gets what was not understood, such as `regions "Antarctica"` or `field tips`. */
export type NoteUnknown = (what: string) => void;

/**
 * A record of another gateway in the fields that our contract has (rules#upstream-liberal-reading). Fields that we do
 * not know are left out; a value of an enumeration is read in any case; one that we do not know is left
 * out of a list, and stays where it stands alone, for the catalog to refuse that record by name.
 */
export function readLiberally(schema: TSchema, value: unknown, note: NoteUnknown): unknown {
  return read(schema, value, "", note);
}

function read(shape: Shape, value: unknown, path: string, note: NoteUnknown): unknown {
  if (shape.enum) return readEnum(shape.enum, value, path, note).value;
  const { items, properties } = shape;
  if (Array.isArray(value)) return items ? readList(items, value, path, note) : value;
  if (typeof value !== "object" || value === null || !properties) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const at = path === "" ? name : `${path}.${name}`;
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (field) return [[name, read(field, inner, at, note)]];
      note(`field ${at}`);
      return [];
    }),
  );
}

function readList(items: Shape, list: readonly unknown[], path: string, note: NoteUnknown) {
  const { enum: allowed } = items;
  if (!allowed) return list.map((item) => read(items, item, path, note));
  return list
    .map((item) => readEnum(allowed, item, path, note))
    .filter(({ isKnown }) => isKnown)
    .map(({ value }) => value);
}

function readEnum(allowed: readonly unknown[], value: unknown, path: string, note: NoteUnknown) {
  if (allowed.includes(value)) return { value, isKnown: true };
  const folded = String(value).toLowerCase();
  const same = allowed.find((known) => String(known).toLowerCase() === folded);
  if (same !== undefined) return { value: same, isKnown: true };
  note(`${path} "${String(value).slice(0, 64)}"`);
  return { value, isKnown: false };
}
