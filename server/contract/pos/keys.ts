import { type Static, Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";

const LONGEST_KEY_NAME = 60;
const MOST_KEY_ADDRESSES = 20;

/** Groups of `/v1` operations. `operation-scopes.ts` assigns each operation to one of them. */
export const KEY_SCOPES = ["read", "sell", "reports"] as const;
export const KeyScope = Type.Enum([...KEY_SCOPES]);
export type KeyScope = (typeof KEY_SCOPES)[number];

const Addresses = Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
  maxItems: MOST_KEY_ADDRESSES,
  description: "IP addresses or networks such as 192.168.1.0/24; empty allows any address",
});

/** `POST /pos/keys` (owner). A live key requires the owner's PIN again. */
const KeyInput = Input({
  environment: Environment,
  name: Name(LONGEST_KEY_NAME),
  allowedAddresses: Type.Optional(Addresses),
  scopes: Type.Optional(
    Type.Array(KeyScope, {
      minItems: 1,
      maxItems: KEY_SCOPES.length,
      uniqueItems: true,
      description: "Operations that the key may use; all by default",
    }),
  ),
  expiresOn: Type.Optional(
    Type.String({
      format: "date",
      description: "a date such as 2027-01-31: the last day of the key in the shop's time zone",
    }),
  ),
});
export type KeyInput = Static<typeof KeyInput>;

/** An API key without its secret, which is not stored. */
export const PosKey = Type.Object({
  keyId: Type.String(),
  environment: Environment,
  name: Type.String(),
  hint: Type.String({ description: "First characters of the key" }),
  allowedAddresses: Type.Optional(Type.Array(Type.String())),
  scopes: Type.Array(KeyScope),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(Timestamp),
});
export type PosKey = Static<typeof PosKey>;
const PosKeys = Type.Object({ list: Type.Array(PosKey) });
export type PosKeys = Static<typeof PosKeys>;

/** Response of `POST /pos/keys`. Only this response contains the key in plain text. */
const KeyCreated = Type.Object({ key: PosKey, secret: Type.String() });
export type KeyCreated = Static<typeof KeyCreated>;

const KeyParams = Input({ keyId: Type.String({ minLength: 1, maxLength: 64 }) });

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
