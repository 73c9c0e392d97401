import type { TSchema } from "typebox";
import { orderFieldsBy } from "../lib/field-order.ts";

/** Replaces Fastify's own compilers, which are large, so that they are not loaded. */
function notAsked(): never {
  throw new Error("the default compiler is replaced");
}

export const OWN_COMPILERS = {
  compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked },
};

/**
 * Writes responses with the fields of their schema, in its order (rules#record-order), also if a field is
 * optional.
 */
export function createSerializerCompiler() {
  return ({ schema }: { schema: TSchema }): ((data: unknown) => string) => {
    let order: ((data: unknown) => unknown) | undefined;
    return (data) => {
      // Compiled on first use: most schemas are not used for hours.
      order ??= orderFieldsBy(schema);
      return JSON.stringify(order(data));
    };
  };
}
