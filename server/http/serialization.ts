import type { TSchema } from "typebox";
import { orderFieldsBy } from "../lib/field-order.ts";

/** Replaces Fastify's own compilers, because their code is large. */
function notAsked(): never {
  throw new Error("the default compiler is replaced");
}

export const OWN_COMPILERS = {
  compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked },
};

/** Writes responses in the order of their schema's fields (rules#record-order). */
export function createSerializerCompiler() {
  return ({ schema }: { schema: TSchema }): ((data: unknown) => string) => {
    let order: ((data: unknown) => unknown) | undefined;
    return (data) => {
      // Computed when first needed, because most schemas are not used for hours.
      order ??= orderFieldsBy(schema);
      return JSON.stringify(order(data));
    };
  };
}
