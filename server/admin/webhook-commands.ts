import { StartupError } from "../config/config.ts";
import {
  DEFAULT_OLD_SECRET_HOURS,
  MAX_OLD_SECRET_HOURS,
  WEBHOOK_KINDS,
  type Webhook,
  type WebhookDelivery,
  type WebhookKind,
} from "../contract/pos/webhooks.ts";
import type { Context } from "../gateway/context.ts";
import { type Clock, SECOND, systemClock } from "../lib/clock.ts";
import { escapeControls } from "../lib/control-characters.ts";
import {
  type ForwardedMessage,
  LISTENED_KINDS,
  type OpenListener,
} from "../modules/messages/webhooks/index.ts";
import {
  among,
  authorOf,
  type Command,
  ENV_OPTION,
  type Options,
  optional,
  type Result,
  readOption,
  readText,
  required,
  scopeOf,
  tableOr,
  upTo,
  type Values,
} from "./command.ts";
import { readSecret } from "./secret-input.ts";
import { waitForSignal } from "./wait-for-signal.ts";

/** Reads kinds separated by commas. */
function readKinds(text: string): WebhookKind[] {
  const names = text.split(",").map((name) => name.trim());
  const rule = `one of ${WEBHOOK_KINDS.join(", ")}`;
  return names.map((name) => readText("kind", name, rule, among(WEBHOOK_KINDS)));
}

const LOOK_MS = 500;
/** Shorter than the lease, so that a busy database does not interrupt the forwarding. */
const RENEWED_EVERY_MS = 3 * SECOND;

const listenCommand: Command = {
  name: "webhooks listen",
  summary:
    "Let the running gateway forward every message to a local address, and print each; ends with Ctrl+C",
  options: {
    ...ENV_OPTION,
    forward: { value: "URL", help: "address of this machine or a private network" },
    kind: { value: "KIND,…", help: `only these kinds (${LISTENED_KINDS.join(",")})` },
  },
  flags: { bodies: "also print the bodies, only in test: they contain PINs and codes" },
  async run(ctx, values) {
    const { environment } = scopeOf(ctx, values);
    const isWithBodies = values.bodies === true;
    if (isWithBodies && environment === "live") {
      throw new StartupError("--bodies is for test: bodies of live contain PINs and codes.");
    }
    const kind = optional(values, "kind");
    const kinds = kind === undefined ? undefined : readKinds(kind);
    const unknown = kinds?.find((each) => !LISTENED_KINDS.includes(each));
    if (unknown) throw new StartupError(`--kind cannot be ${unknown}: register a webhook for it.`);
    const url = required(values, "forward");
    const opened = await ctx.listeners.open(authorOf(ctx), { environment, url, kinds });
    const stopped = waitForSignal();
    const print = values.json === true ? printJson : printText;
    print({ opened, url, environment });
    await follow(ctx, opened, {
      clock: systemClock,
      stopped,
      print: (message) => print({ message, isWithBodies }),
    });
    return { text: "", data: {} };
  },
};

interface Following {
  clock: Clock;
  stopped: Promise<void>;
  print: (message: ForwardedMessage) => void;
}

/** Prints messages and extends the lease until the program stops or the listener is removed. */
async function follow(
  { listeners }: Pick<Context, "listeners">,
  { ref, cursor: from }: OpenListener,
  { clock, stopped, print }: Following,
): Promise<void> {
  let isOver = false;
  void stopped.then(() => {
    isOver = true;
  });
  let cursor = from;
  let renewAt = -Infinity;
  while (!isOver) {
    const { messages, cursor: next, isMore } = await listeners.read(ref, cursor);
    messages.forEach(print);
    cursor = next;
    if (clock.now() >= renewAt) {
      renewAt = clock.now() + RENEWED_EVERY_MS;
      if (!(await listeners.renew(ref, cursor))) {
        throw new StartupError("The listener was removed, and its waiting messages are cancelled.");
      }
    }
    if (!isMore) await Promise.race([stopped, wait(clock)]);
  }
  await listeners.close(ref, cursor);
}

function wait(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wakeAt(clock.now() + LOOK_MS, resolve);
  });
}

interface Started {
  opened: OpenListener;
  url: string;
  environment: string;
}

interface Forwarded {
  message: ForwardedMessage;
  isWithBodies: boolean;
}

type Printed = Started | Forwarded;

function printText(printed: Printed): void {
  const lines = "opened" in printed ? describeStart(printed) : describeMessage(printed);
  process.stdout.write(`${escapeControls(lines.join("\n"))}\n`);
}

function printJson(printed: Printed): void {
  if ("opened" in printed) {
    const { ref, secret, missed } = printed.opened;
    const start = { webhookId: ref.endpointId, url: printed.url, secret, missed };
    process.stdout.write(`${JSON.stringify(start)}\n`);
    return;
  }
  const { delivery, attempt } = printed.message;
  const { deliveryId, kind, subject, state, body } = delivery;
  const { status, error } = attempt ?? {};
  const text = printed.isWithBodies ? { body } : {};
  const line = { deliveryId, kind, subject, state, status, error, ...text };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function describeStart({ opened, url, environment }: Started): string[] {
  const { ref, secret, missed } = opened;
  const signing =
    secret === undefined
      ? `They are signed as before; webhooks secret ${ref.endpointId} makes a new secret.`
      : `Signing secret, shown once: ${secret}`;
  const waited =
    missed === 0
      ? "No message waits from the time before."
      : `Messages that arrived while this did not run: ${missed}. They follow now.`;
  return [`Messages of ${environment} are forwarded to ${url}.`, signing, waited];
}

function describeMessage({ message: { delivery, attempt }, isWithBodies }: Forwarded): string[] {
  const { deliveryId, kind, subject, state, nextAttemptAt, body } = delivery;
  const status = attempt?.status ?? "";
  const reason = attempt?.error ?? "";
  const next = nextAttemptAt === undefined ? "" : new Date(nextAttemptAt).toISOString();
  const result =
    state === "DELIVERED" ? `${status}` : `${status} ${reason.replace(/\.$/, "")}, next ${next}`;
  const line = `${kind} ${subject} ${state} ${result} ${deliveryId}`;
  return isWithBodies ? [line, body ?? ""] : [line];
}

const STATES = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"] as const;
const DELIVERIES_SHOWN = 50;

const TARGET_OPTIONS: Options = {
  url: { value: "URL", help: "target URL, http or https" },
  header: { value: "NAME", help: "name of an additional header, e.g. Authorization" },
  "header-value-file": {
    value: "FILE",
    help: "file with the header's value; - reads standard input",
  },
  "allow-private": { value: "yes|no", help: "allow this machine and private networks" },
};

const MEANING_OPTIONS: Options = {
  kind: {
    value: "KIND,…",
    help: `${WEBHOOK_KINDS.join(", ")} (which verifies purchases); several with commas`,
  },
  description: { value: "TEXT", help: "name for the shop's owner" },
};

const addCommand: Command = {
  name: "webhooks add",
  summary: "Add a webhook, whose URL must answer HEAD, and print its signing secret, once",
  options: {
    ...ENV_OPTION,
    ...MEANING_OPTIONS,
    ...TARGET_OPTIONS,
    replace: { value: "ID", help: "webhook that this one replaces, without a gap" },
  },
  needsShop: false,
  async run(ctx, values) {
    const { environment } = scopeOf(ctx, values);
    const kinds = readKinds(required(values, "kind"));
    const replaces = optional(values, "replace");
    const input = {
      environment,
      kinds,
      ...readDescription(values),
      ...(replaces !== undefined && { replaces }),
      ...(await readTarget(values)),
    };
    const created = await ctx.webhooks.add(authorOf(ctx), input);
    return { text: created.secret, data: created };
  },
};

const listCommand: Command = {
  name: "webhooks list",
  summary: "List the webhooks and their failures",
  async run(ctx) {
    const webhooks = await ctx.webhooks.list(ctx.accountId);
    const names = ["WEBHOOK ID", "ENV", "KIND", "URL", "HEADER", "WAITING", "STATE"];
    const header = [...names, "DESCRIPTION"];
    const rows = webhooks.map((webhook) => [
      webhook.webhookId,
      webhook.environment,
      webhook.kinds.join(","),
      webhook.url,
      webhook.headerName ?? "",
      String(webhook.waiting),
      describeState(webhook),
      webhook.description ?? "",
    ]);
    return { text: tableOr("No webhooks.", header, rows), data: webhooks };
  },
};

const changeCommand: Command = {
  name: "webhooks change",
  summary:
    "Change a webhook's kinds, description or URL, which must answer HEAD; with --url, the header is removed if --header is missing",
  options: { ...MEANING_OPTIONS, ...TARGET_OPTIONS },
  argument: "WEBHOOK_ID",
  needs: "a WEBHOOK_ID; see webhooks list",
  async run(ctx, values, webhookId) {
    const kinds = optional(values, "kind");
    const isTarget = Object.keys(TARGET_OPTIONS).some((name) => values[name] !== undefined);
    const data = {
      ...(kinds !== undefined && { kinds: readKinds(kinds) }),
      ...readDescription(values),
      ...(isTarget && (await readTarget(values))),
    };
    if (Object.keys(data).length === 0) {
      throw new StartupError("webhooks change needs --url, --kind or --description.");
    }
    await ctx.webhooks.change(authorOf(ctx), webhookId, data);
    const [changed] = (await ctx.webhooks.list(ctx.accountId)).filter(
      (webhook) => webhook.webhookId === webhookId,
    );
    const text = changed && `${changed.kinds.join(", ")} is sent to ${changed.url}.`;
    return { text: text ?? "", data: changed };
  },
};

const secretCommand: Command = {
  name: "webhooks secret",
  summary: "Create a new signing secret and print it, once; the old one also signs for a time",
  options: {
    "old-secret-hours": {
      value: "N",
      help: `hours during which both secrets sign, 0 to 168 (${DEFAULT_OLD_SECRET_HOURS})`,
    },
  },
  argument: "WEBHOOK_ID",
  needs: "a WEBHOOK_ID; see webhooks list",
  async run(ctx, values, webhookId) {
    const data = await ctx.webhooks.rotateSecret(authorOf(ctx), webhookId, readHours(values));
    return { text: data.secret, data };
  },
};

const removeCommand: Command = {
  name: "webhooks remove",
  summary: "Remove a webhook and its secrets; waiting deliveries are cancelled",
  argument: "WEBHOOK_ID",
  needs: "a WEBHOOK_ID; see webhooks list",
  async run(ctx, _values, webhookId) {
    await ctx.webhooks.remove(authorOf(ctx), webhookId);
    return { text: `Removed ${webhookId}.`, data: { webhookId, removed: true } };
  },
};

const resumeCommand: Command = {
  name: "webhooks resume",
  summary: "Resume a paused webhook; waiting deliveries are sent",
  argument: "WEBHOOK_ID",
  needs: "a WEBHOOK_ID; see webhooks list",
  async run(ctx, _values, webhookId) {
    await ctx.webhooks.resume(authorOf(ctx), webhookId);
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
  async run(ctx, values) {
    const [webhookId, transactionId] = [
      optional(values, "webhook"),
      optional(values, "transaction"),
    ];
    const state = readOption(values, "state", `one of ${STATES.join(", ")}`, among(STATES));
    const { list } = await ctx.webhooks.listDeliveries(ctx.accountId, {
      _limit: DELIVERIES_SHOWN,
      _offset: 0,
      ...(webhookId !== undefined && { webhookId }),
      ...(transactionId !== undefined && { transactionId }),
      ...(state !== undefined && { state }),
    });
    return describeDeliveries(list);
  },
};

export function describeDeliveries(list: readonly WebhookDelivery[]): Result {
  const header = ["DELIVERY ID", "ENV", "KIND", "SUBJECT", "STATE", "ATTEMPTS", "LAST", "NEXT"];
  const rows = list.map((delivery) => [
    delivery.deliveryId,
    delivery.environment,
    delivery.kind,
    delivery.subject,
    delivery.state,
    String(delivery.attempts.length),
    describeLast(delivery),
    delivery.nextAttemptAt ?? "",
  ]);
  return { text: tableOr("No deliveries.", header, rows), data: list };
}

const resendCommand: Command = {
  name: "webhooks resend",
  summary: "Repeat a delivery with the same id; a running gateway sends it at once",
  argument: "DELIVERY_ID",
  needs: "a DELIVERY_ID; see webhooks deliveries",
  async run(ctx, _values, deliveryId) {
    const delivery = await ctx.webhooks.resend(authorOf(ctx), deliveryId);
    return { text: `${deliveryId} will be sent again.`, data: delivery };
  },
};

function readDescription(values: Values): { description?: string } {
  const description = optional(values, "description");
  return description === undefined ? {} : { description };
}

function readHours(values: Values): number | undefined {
  const rule = `a whole number from 0 to ${MAX_OLD_SECRET_HOURS}`;
  return readOption(values, "old-secret-hours", rule, upTo(MAX_OLD_SECRET_HOURS));
}

const triggerCommand: Command = {
  name: "webhooks trigger",
  summary: "Send a sample of a kind, marked as a sample, to its webhooks as a real message",
  options: { ...ENV_OPTION, webhook: { value: "ID", help: "only this webhook" } },
  argument: WEBHOOK_KINDS.join("|"),
  needs: "a KIND",
  async run(ctx, values, name) {
    const { environment } = scopeOf(ctx, values);
    const kind = WEBHOOK_KINDS.find((known) => known === name);
    if (!kind) throw new StartupError(`KIND must be one of ${WEBHOOK_KINDS.join(", ")}.`);
    const webhookId = optional(values, "webhook");
    const sent = await ctx.webhooks.trigger(authorOf(ctx), { environment, kind, webhookId });
    const text = sent.map(({ deliveryId, url }) => `${deliveryId} will be sent to ${url}.`);
    return { text: text.join("\n"), data: sent };
  },
};

async function readTarget(values: Values) {
  const headerName = optional(values, "header");
  const file = optional(values, "header-value-file");
  return {
    url: required(values, "url"),
    ...(headerName !== undefined && { headerName }),
    ...(file !== undefined && { headerValue: await readSecret(file, "header-value-file") }),
    ...(values["allow-private"] !== undefined && {
      allowPrivate:
        readOption(values, "allow-private", "one of yes, no", among(["yes", "no"])) === "yes",
    }),
  };
}

function describeState({ pausedAt, failingSince, lastFailure, listeningUntil }: Webhook): string {
  if (listeningUntil !== undefined) return `listener until ${listeningUntil}`;
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
  listenCommand,
  triggerCommand,
];
