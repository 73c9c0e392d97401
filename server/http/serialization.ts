import type { TSchema } from "typebox";
import { orderFieldsBy } from "../lib/field-order.ts";

/**
 * Writes answers with the fields that their schemas name, in that order: records then read as in the
 * description (rules#record-order), wherever a field is optional.
 */
export function createSerializerCompiler() {
  return ({ schema }: { schema: TSchema }): ((data: unknown) => string) => {
    const order = orderFieldsBy(schema);
    return (data) => JSON.stringify(order(data));
  };
}
