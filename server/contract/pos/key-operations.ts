import { KeyCreated, KeyInput, KeyParams, PosKeys } from "./keys.ts";
import { defineOperation, NOTHING } from "./operation.ts";

/** The API keys of both environments. */
export const keyOperations = {
  list: defineOperation({
    method: "GET",
    path: "/keys",
    answer: PosKeys,
    access: "owner",
    refusals: [],
  }),
  create: defineOperation({
    method: "POST",
    path: "/keys",
    body: KeyInput,
    answer: KeyCreated,
    access: "owner",
    asksPin: "sometimes",
    refusals: [],
  }),
  revoke: defineOperation({
    method: "DELETE",
    path: "/keys/:keyId",
    params: KeyParams,
    answer: NOTHING,
    access: "owner",
    asksPin: "sometimes",
    refusals: ["NOT_FOUND"],
  }),
};
