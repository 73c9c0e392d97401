import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** What checks values by a schema. It is made when the first value is checked: a start checks none. */
export function lazyCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => value is Static<Schema> {
  let check: { Check(value: unknown): boolean } | undefined;
  return (value): value is Static<Schema> => {
    check ??= Compile(schema);
    return check.Check(value);
  };
}
