import { type Static, Type } from "typebox";
import { Input } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";

/**
 * Origins of sales without a till. API: bought through `/v1`. FILE: sold from a file. UNKNOWN: sold
 * at a device without an id. BEFORE: sold before tills were recorded.
 */
export const NO_TILLS = ["API", "FILE", "UNKNOWN", "BEFORE"] as const;
export type NoTill = (typeof NO_TILLS)[number];

export const LONGEST_TILL_NAME = 40;

/** A browser or computer at which people sold or refunded. */
export const Till = Type.Object({
  tillId: Type.String(),
  name: Type.String({ description: "Till 1, Till 2 and so on by first sale, until renamed" }),
  isHere: Type.Boolean({ description: "True for the requesting till" }),
});
export type Till = Static<typeof Till>;

/** `GET /pos/tills`: all tills in the order of their first sale. */
const Tills = Type.Object({ list: Type.Array(Till) });

const TillParams = Type.Object({ tillId: Type.String({ minLength: 1, maxLength: 64 }) });

const TillInput = Input({ name: Name(LONGEST_TILL_NAME) });
export type TillInput = Static<typeof TillInput>;

export const tillOperations = {
  list: defineOperation({
    method: "GET",
    path: "/tills",
    answer: Tills,
    access: "staff",
    right: "seeFigures",
  }),
  rename: defineOperation({
    method: "PUT",
    path: "/tills/:tillId",
    params: TillParams,
    body: TillInput,
    answer: Till,
    access: "owner",
    refusals: ["NOT_FOUND", "NAME_TAKEN"],
  }),
};
