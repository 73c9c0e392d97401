import { type Static, Type } from "typebox";
import { Input, Timestamp } from "../common.ts";
import { WEBHOOK_KINDS, WebhookInput, WebhookKind } from "../pos/webhooks.ts";

/** Speeds of a sandbox's clock, in seconds per second of the machine's clock. */
export const SPEEDS = [1, 60, 900] as const;
export type Speed = (typeof SPEEDS)[number];

const MINUTE_MS = 60_000;

const Now = { ...Timestamp, description: "Time of the sandbox's clock" };
const ClockSpeed = Type.Enum(SPEEDS, {
  description: "Seconds of the sandbox in a second",
  examples: [60],
});

export const SandboxClock = Type.Object(
  { now: Now, speed: ClockSpeed },
  { title: "SandboxClock", description: "Time and speed of a sandbox's clock" },
);

export const SpeedInput = Input(
  { speed: ClockSpeed },
  { title: "SandboxSpeedInput", description: "A new speed of the clock" },
);

export const AdvanceInput = Input(
  {
    by: Type.Optional(
      Type.String({
        maxLength: 16,
        description: "Duration: a whole number of s, m, h or d, at most 366d",
        examples: ["24h"],
      }),
    ),
    to: Type.Optional(
      Type.String({ maxLength: 32, description: "next-deadline, or an RFC 3339 time in UTC" }),
    ),
  },
  { title: "SandboxAdvanceInput", description: "Target of an advance: by or to" },
);
export type AdvanceInput = Static<typeof AdvanceInput>;

export const SandboxAdvance = Type.Object(
  {
    now: Now,
    finished: Type.Integer({
      minimum: 0,
      description: "Finished runs of purchases, retries, refunds, webhooks and reports",
      examples: [1],
    }),
  },
  { title: "SandboxAdvance", description: "Result of an advance of the clock" },
);

const ScenarioName = Type.String({
  description: "Name of the scenario",
  examples: ["provider-timeout-then-done"],
});

const Scenario = Type.Object(
  { name: ScenarioName, description: Type.String({ description: "Course of the purchase" }) },
  { title: "SandboxScenario", description: "A prescribed course of a purchase" },
);

export const ScenarioList = Type.Object(
  { list: Type.Array(Scenario, { description: "All scenarios" }) },
  { title: "SandboxScenarioList", description: "The scenarios of this version" },
);

export const ScenarioInput = Input(
  { name: ScenarioName },
  { title: "SandboxScenarioInput", description: "Scenario of purchases that name none" },
);

export const ScenarioChoice = Type.Object(
  { name: ScenarioName },
  { title: "SandboxScenarioChoice", description: "Scenario of purchases that name none" },
);

/** Faults apply until they are replaced or cleared. */
export const FaultSettings = Input(
  {
    latencyMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MINUTE_MS,
        description: "Delay of every response of /v1 in milliseconds",
        examples: [2000],
      }),
    ),
    resetAfterAccept: Type.Optional(
      Type.Boolean({
        description: "Cuts the connection instead of responding, after a purchase was accepted",
      }),
    ),
    status: Type.Optional(
      Type.Enum([429, 500, 503], {
        description: "Responds to every request of /v1 with this status, and does nothing else",
      }),
    ),
    duplicateWebhooks: Type.Optional(Type.Boolean({ description: "Sends each message twice" })),
    reorderWebhooks: Type.Optional(
      Type.Boolean({ description: "Sends every second message before the preceding message" }),
    ),
  },
  { title: "SandboxFaults", description: "Faults of the gateway itself" },
);
export type FaultSettings = Static<typeof FaultSettings>;

const TargetUrl = { ...WebhookInput.properties.url, description: "URL that receives the messages" };
const TargetKinds = Type.Array(WebhookKind, {
  minItems: 1,
  maxItems: WEBHOOK_KINDS.length,
  description: "Kinds of its messages; by default the results of every family",
  examples: [["TOPUP", "VOUCHER"]],
});

export const WebhookTargetInput = Input(
  { url: TargetUrl, kinds: Type.Optional(TargetKinds) },
  { title: "SandboxWebhookInput", description: "The only webhook of a sandbox" },
);

export const WebhookTarget = Type.Object(
  { url: TargetUrl, kinds: TargetKinds },
  { title: "SandboxWebhook", description: "The only webhook of a sandbox" },
);

export const WalletInput = Input(
  {
    availableBalance: Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999,
      description: "Spendable balance in minor units",
      examples: [100_000],
    }),
  },
  { title: "SandboxWalletInput", description: "A new balance of the wallet" },
);

/** The response of an operation that has nothing to report. */
export const Empty = Type.Object({}, { title: "Empty", description: "An empty object" });
