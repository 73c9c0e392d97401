import { type Static, Type } from "typebox";
import { Environment, Input, Timestamp } from "../common.ts";
import { defineOperation } from "./operation.ts";

const Text = Type.String({ minLength: 1, maxLength: 256 });
const RequestNo = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Groups of statuses, by their first digit. */
export const STATUS_GROUPS = ["2xx", "4xx", "5xx"] as const;

/**
 * `GET /pos/requests` (owner), newest first. `path` matches a part of the path. `before` is `next`
 * of the previous page.
 */
const filters = {
  status: Type.Optional(Type.Enum([...STATUS_GROUPS])),
  path: Type.Optional(Text),
  transactionId: Type.Optional(Text),
  requestId: Type.Optional(Text),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  before: Type.Optional(RequestNo),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
};
export const RequestLogQuery = Input({
  environment: Environment,
  keyId: Type.Optional(Text),
  ...filters,
});
export type RequestLogQuery = Static<typeof RequestLogQuery>;

/** Query of a sandbox's requests. */
export const SandboxRequestQuery = Input(filters);
export type SandboxRequestQuery = Static<typeof SandboxRequestQuery>;

/** A request of an API key. Secrets, phone numbers and personal data are masked everywhere. */
export const LoggedRequest = Type.Object({
  requestNo: RequestNo,
  requestId: Type.String(),
  at: Timestamp,
  method: Type.String(),
  path: Type.String({ description: "Path with its query" }),
  status: Type.Integer(),
  duration_ms: Type.Integer(),
  keyId: Type.String(),
  keyName: Type.String(),
  transactionId: Type.Optional(Type.String()),
});
export type LoggedRequest = Static<typeof LoggedRequest>;

export const RequestLogPage = Type.Object({
  list: Type.Array(LoggedRequest),
  next: Type.Optional(
    Type.Integer({ description: "Absent if no older request is left. The page may be empty" }),
  ),
  dropped: Type.Integer({
    description: "Requests that this process could not record since its start",
  }),
});
export type RequestLogPage = Static<typeof RequestLogPage>;

const Body = Type.Object({
  bytes: Type.Optional(Type.Integer({ description: "Absent if unknown" })),
  text: Type.Optional(
    Type.String({ description: "JSON; absent for an empty, larger or other body" }),
  ),
});
export type LoggedBody = Static<typeof Body>;

/** Response of `GET /pos/requests/{requestNo}`. */
export const RequestDetails = Type.Object({
  ...LoggedRequest.properties,
  request: Body,
  response: Body,
});
export type RequestDetails = Static<typeof RequestDetails>;

export const RequestNoText = Type.String({
  pattern: "^[1-9]\\d{0,14}$",
  description: "a number from the list",
});
const Params = Input({ requestNo: RequestNoText });

export const requestLogOperations = {
  list: defineOperation({
    method: "GET",
    path: "/requests",
    query: RequestLogQuery,
    answer: RequestLogPage,
    access: "owner",
    refusals: [],
  }),
  get: defineOperation({
    method: "GET",
    path: "/requests/:requestNo",
    params: Params,
    answer: RequestDetails,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
