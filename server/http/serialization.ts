import type { TSchema } from "typebox";
import { orderFieldsBy } from "../lib/field-order.ts";

/** Fastify's own compilers are large, and not loaded where there are others. */
function notAsked(): never {
  throw new Error("requests and answers have compilers of their own");
}

export const OWN_COMPILERS = {
  compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked },
};

/**
 * Writes answers with the fields that their schemas name, in that order: records then read as in the
 * description (rules#record-order), wherever a field is optional.
 */
export function createSerializerCompiler() {
  return ({ schema }: { schema: TSchema }): ((data: unknown) => string) => {
    let order: ((data: unknown) => unknown) | undefined;
    return (data) => {
      // Most schemas are of answers that nobody gets for hours.
      order ??= orderFieldsBy(schema);
      return JSON.stringify(order(data));
    };
  };
}
