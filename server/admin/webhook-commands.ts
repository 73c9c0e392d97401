import { StartupError } from "../config/config.ts";
import {
  WEBHOOK_KINDS,
  type Webhook,
  type WebhookChange,
  type WebhookDelivery,
} from "../contract/pos/webhooks.ts";
import {
  type Command,
  ENV_OPTION,
  optional,
  required,
  scopeOf,
  table,
  type Values,
} from "./command.ts";
import { readSecret } from "./secret-input.ts";

const STATES = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
const DELIVERIES_SHOWN = 50;

const TARGET_OPTIONS: Command["options"] = {
  url: { value: "URL", help: "target URL, http or https" },
  header: { value: "NAME", help: "name of an additional header, e.g. Authorization" },
  "header-value-file": {
    value: "FILE",
    help: "file with the header's value; - reads standard input",
  },
  "allow-private": { value: "yes|no", help: "allow this machine and private networks" },
};

const addCommand: Command = {
  name: "webhooks add",
  summary: "Add a webhook, whose URL must answer HEAD, and print its signing secret, once",
  options: {
    ...ENV_OPTION,
    kind: { value: "KIND", help: `${WEBHOOK_KINDS.join(", ")} (which verifies purchases)` },
    ...TARGET_OPTIONS,
  },
  async run(ctx, values) {
    const { environment } = scopeOf(ctx, values);
    const kind = oneOf(WEBHOOK_KINDS, required(values, "kind"), "kind");
    const input = { environment, kind, ...(await readTarget(values)) };
    const created = await ctx.webhooks.add(actorOf(ctx), input);
    return { text: created.secret, data: created };
  },
};

const listCommand: Command = {
  name: "webhooks list",
  summary: "List the webhooks and their failures",
  options: {},
  needsData: true,
  async run(ctx) {
    const webhooks = await ctx.webhooks.list(ctx.accountId);
    const header = ["WEBHOOK ID", "ENV", "KIND", "URL", "HEADER", "WAITING", "STATE"];
    const rows = webhooks.map((webhook) => [
      webhook.webhookId,
      webhook.environment,
      webhook.kind,
      webhook.url,
      webhook.headerName ?? "",
      String(webhook.waiting),
      describeState(webhook),
    ]);
    const text = webhooks.length === 0 ? "No webhooks." : table([header, ...rows]);
    return { text, data: webhooks };
  },
};

const changeCommand: Command = {
  name: "webhooks change",
  summary: "Change a webhook's URL, which must answer HEAD; without --header the header is removed",
  options: TARGET_OPTIONS,
  argument: "WEBHOOK_ID",
  needsData: true,
  async run(ctx, values, webhookId) {
    if (webhookId === "") {
      throw new StartupError("webhooks change needs a WEBHOOK_ID; see webhooks list.");
    }
    const data = await readTarget(values);
    await ctx.webhooks.change(actorOf(ctx), webhookId, data);
    return { text: `The webhook is sent to ${data.url}.`, data: { webhookId, url: data.url } };
  },
};

const secretCommand: Command = {
  name: "webhooks secret",
  summary: "Create a new signing secret and print it, once; the old one stays valid for a day",
  options: {},
  argument: "WEBHOOK_ID",
  needsData: true,
  async run(ctx, _values, webhookId) {
    if (webhookId === "") {
      throw new StartupError("webhooks secret needs a WEBHOOK_ID; see webhooks list.");
    }
    const data = await ctx.webhooks.rotateSecret(actorOf(ctx), webhookId);
    return { text: data.secret, data };
  },
};

const removeCommand: Command = {
  name: "webhooks remove",
  summary: "Remove a webhook and its secrets; waiting deliveries are cancelled",
  options: {},
  argument: "WEBHOOK_ID",
  needsData: true,
  async run(ctx, _values, webhookId) {
    if (webhookId === "") {
      throw new StartupError("webhooks remove needs a WEBHOOK_ID; see webhooks list.");
    }
    await ctx.webhooks.remove(actorOf(ctx), webhookId);
    return { text: `Removed ${webhookId}.`, data: { webhookId, removed: true } };
  },
};

const resumeCommand: Command = {
  name: "webhooks resume",
  summary: "Resume a paused webhook; waiting deliveries are sent",
  options: {},
  argument: "WEBHOOK_ID",
  needsData: true,
  async run(ctx, _values, webhookId) {
    if (webhookId === "") {
      throw new StartupError("webhooks resume needs a WEBHOOK_ID; see webhooks list.");
    }
    await ctx.webhooks.resume(actorOf(ctx), webhookId);
    return { text: `Resumed ${webhookId}.`, data: { webhookId, resumed: true } };
  },
};

const deliveriesCommand: Command = {
  name: "webhooks deliveries",
  summary: `List the last ${DELIVERIES_SHOWN} deliveries; --json shows every attempt`,
  options: {
    webhook: { value: "ID", help: "only this webhook" },
    transaction: { value: "ID", help: "only this transaction" },
    state: { value: STATES.join("|"), help: "only this state" },
  },
  needsData: true,
  async run(ctx, values) {
    const [webhookId, transactionId] = [
      optional(values, "webhook"),
      optional(values, "transaction"),
    ];
    const state = optional(values, "state");
    const { list } = await ctx.webhooks.listDeliveries(ctx.accountId, {
      _limit: DELIVERIES_SHOWN,
      _offset: 0,
      ...(webhookId !== undefined && { webhookId }),
      ...(transactionId !== undefined && { transactionId }),
      ...(state !== undefined && { state: oneOf(STATES, state, "state") }),
    });
    const header = [
      "DELIVERY ID",
      "ENV",
      "KIND",
      "TRANSACTION",
      "STATE",
      "ATTEMPTS",
      "LAST",
      "NEXT",
    ];
    const rows = list.map((delivery) => [
      delivery.deliveryId,
      delivery.environment,
      delivery.kind,
      delivery.transactionId,
      delivery.state,
      String(delivery.attempts.length),
      describeLast(delivery),
      delivery.nextAttemptAt ?? "",
    ]);
    return { text: list.length === 0 ? "No deliveries." : table([header, ...rows]), data: list };
  },
};

const resendCommand: Command = {
  name: "webhooks resend",
  summary: "Repeat a delivery with the same id; a running gateway sends it at once",
  options: {},
  argument: "DELIVERY_ID",
  needsData: true,
  async run(ctx, _values, deliveryId) {
    if (deliveryId === "") {
      throw new StartupError("webhooks resend needs a DELIVERY_ID; see webhooks deliveries.");
    }
    const delivery = await ctx.webhooks.resend(actorOf(ctx), deliveryId);
    return { text: `${deliveryId} will be sent again.`, data: delivery };
  },
};

async function readTarget(values: Values): Promise<WebhookChange> {
  const headerName = optional(values, "header");
  const file = optional(values, "header-value-file");
  return {
    url: required(values, "url"),
    ...(headerName !== undefined && { headerName }),
    ...(file !== undefined && { headerValue: await readSecret(file, "header-value-file") }),
    allowPrivate: readAnswer(values, "allow-private"),
  };
}

function actorOf({ accountId }: { accountId: string }) {
  return { accountId, staffId: undefined };
}

function oneOf<T extends string>(known: readonly T[], text: string, option: string): T {
  const found = known.find((name) => name === text);
  if (found) return found;
  throw new StartupError(`--${option} must be one of ${known.join(", ")}, not "${text}".`);
}

function readAnswer(values: Values, option: string): boolean {
  const answer = optional(values, option) ?? "no";
  return oneOf(["yes", "no"], answer, option) === "yes";
}

function describeState({ pausedAt, failingSince, lastFailure }: Webhook): string {
  if (pausedAt !== undefined) return `paused since ${pausedAt}: ${lastFailure}`;
  return failingSince === undefined ? "ok" : `failing since ${failingSince}: ${lastFailure}`;
}

function describeLast({ attempts }: WebhookDelivery): string {
  const last = attempts.at(-1);
  if (!last) return "";
  const { status, error } = last;
  if (status === undefined) return error ?? "being sent";
  return error === undefined ? String(status) : `${status}, ${error}`;
}

export const webhookCommands = [
  addCommand,
  listCommand,
  changeCommand,
  secretCommand,
  deliveriesCommand,
  resendCommand,
  resumeCommand,
  removeCommand,
];
