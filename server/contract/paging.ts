import { type TSchema, Type } from "typebox";

/** Schema of a page of a list (rules#list-paging). */
export function Paged<T extends TSchema>(item: T) {
  const { title } = item as { title?: string };
  return Type.Object(
    {
      limit: Type.Integer({ description: "Maximum number of items", examples: [10] }),
      offset: Type.Integer({ description: "Number of skipped items", examples: [0] }),
      total: Type.Integer({ description: "Total number of items", examples: [1] }),
      list: Type.Array(item),
    },
    { ...(title && { title: `${title}Page` }), description: "A page of the list" },
  );
}

/** `_limit` and `_offset`, required on every paged list (rules#list-paging). */
export const paging = {
  _limit: Type.Integer({
    minimum: 1,
    maximum: 1024,
    description: "Maximum number of items",
    examples: [10],
  }),
  _offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "Number of items to skip",
    examples: [0],
  }),
};
