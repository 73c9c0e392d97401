import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { Balance } from "../v1/balance.ts";
import {
  AdvanceInput,
  SandboxAdvance,
  SandboxClock,
  SPEEDS,
  SpeedInput,
  WalletInput,
} from "../v1/sandbox.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import {
  RequestDetails,
  RequestLogPage,
  RequestNoText,
  SandboxRequestQuery,
} from "./request-log.ts";
import { WebhookDeliveryPage, WebhookDeliveryQuery } from "./webhooks.ts";

const SandboxName = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9-]{0,39}$",
  description: "1 to 40 letters, digits and hyphens; the first is a letter or digit",
});
const NameParams = Input({ name: Type.String({ minLength: 1, maxLength: 64 }) });

/** BROKEN: the directory cannot be read, or the database cannot be opened. */
const SANDBOX_STATES = ["OPEN", "CLOSED", "BROKEN"] as const;

/** A named sandbox without its key. */
export const Sandbox = Type.Object({
  name: Type.String(),
  state: Type.Enum([...SANDBOX_STATES]),
  createdAt: Type.Optional(Timestamp),
  keyHint: Type.Optional(Type.String({ description: "First characters of the key" })),
  now: Type.Optional({ ...Timestamp, description: "Time of the sandbox's clock" }),
  speed: Type.Optional(Type.Enum([...SPEEDS])),
  scenario: Type.Optional(Type.String({ description: "Absent if the recipient decides" })),
});
export type Sandbox = Static<typeof Sandbox>;

const Sandboxes = Type.Object({
  list: Type.Array(Sandbox),
  scenarios: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
});

/** Response of `POST /pos/sandboxes`. Only this response contains the key and the secret. */
const SandboxCreated = Type.Object({
  name: Type.String(),
  key: Type.String(),
  webhookSecret: Type.String(),
});
export type NewSandbox = Static<typeof SandboxCreated>;

const { _limit, _offset, state, transactionId } = WebhookDeliveryQuery.properties;
const SandboxDeliveryQuery = Input({ _limit, _offset, state, transactionId });
export type SandboxDeliveryQuery = Static<typeof SandboxDeliveryQuery>;

const RequestParams = Input({ ...NameParams.properties, requestNo: RequestNoText });

export const sandboxOperations = {
  list: defineOperation({
    method: "GET",
    path: "/sandboxes",
    answer: Sandboxes,
    access: "owner",
    refusals: [],
  }),
  create: defineOperation({
    method: "POST",
    path: "/sandboxes",
    body: Input({ name: SandboxName }),
    answer: SandboxCreated,
    access: "owner",
    refusals: [],
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/sandboxes/:name",
    params: NameParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  reset: defineOperation({
    method: "POST",
    path: "/sandboxes/:name/reset",
    params: NameParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  setSpeed: defineOperation({
    method: "PUT",
    path: "/sandboxes/:name/speed",
    params: NameParams,
    body: SpeedInput,
    answer: SandboxClock,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  advance: defineOperation({
    method: "POST",
    path: "/sandboxes/:name/advance",
    params: NameParams,
    body: AdvanceInput,
    answer: SandboxAdvance,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  setScenario: defineOperation({
    method: "PUT",
    path: "/sandboxes/:name/scenario",
    params: NameParams,
    body: Input({ scenario: Type.Optional(Type.String({ maxLength: 64 })) }),
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Opens the sandbox. */
  getWallet: defineOperation({
    method: "GET",
    path: "/sandboxes/:name/wallet",
    params: NameParams,
    answer: Balance,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  setWallet: defineOperation({
    method: "PUT",
    path: "/sandboxes/:name/wallet",
    params: NameParams,
    body: WalletInput,
    answer: Balance,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  listDeliveries: defineOperation({
    method: "GET",
    path: "/sandboxes/:name/deliveries",
    params: NameParams,
    query: SandboxDeliveryQuery,
    answer: WebhookDeliveryPage,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** The sandbox's request log, with secrets masked. */
  listRequests: defineOperation({
    method: "GET",
    path: "/sandboxes/:name/requests",
    params: NameParams,
    query: SandboxRequestQuery,
    answer: RequestLogPage,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  getRequest: defineOperation({
    method: "GET",
    path: "/sandboxes/:name/requests/:requestNo",
    params: RequestParams,
    answer: RequestDetails,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
