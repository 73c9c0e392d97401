import { StartupError } from "../config/config.ts";
import type { Context } from "../gateway/context.ts";
import { type Clock, SECOND, systemClock } from "../lib/clock.ts";
import { escapeControls } from "../lib/control-characters.ts";
import {
  type ForwardedMessage,
  LISTENED_KINDS,
  type OpenListener,
} from "../modules/messages/webhooks/index.ts";
import { type Command, ENV_OPTION, optional, required, scopeOf } from "./command.ts";
import { waitForSignal } from "./wait-for-signal.ts";
import { readKinds } from "./webhook-options.ts";

const LOOK_MS = 500;
/** Shorter than the lease, so that a busy database does not interrupt the forwarding. */
const RENEWED_EVERY_MS = 3 * SECOND;

export const listenCommand: Command = {
  name: "webhooks listen",
  summary:
    "Let the running gateway forward every message to a local address, and print each; ends with Ctrl+C",
  options: {
    ...ENV_OPTION,
    forward: { value: "URL", help: "address of this machine or a private network" },
    kind: { value: "KIND,…", help: `only these kinds (${LISTENED_KINDS.join(",")})` },
  },
  flags: { bodies: "also print the bodies, only in test: they contain PINs and codes" },
  needsData: true,
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
    const author = { accountId: ctx.accountId, staffId: undefined };
    const opened = await ctx.listeners.open(author, { environment, url, kinds });
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
