import { lookup as resolveName } from "node:dns/promises";
import { isIP } from "node:net";
import type { Author } from "../../../contract/pos/actor.ts";
import { WEBHOOK_KINDS, type WebhookKind } from "../../../contract/pos/webhooks.ts";
import { invalidField, Problem } from "../../../contract/problem.ts";
import { latestChangeId, listChanges, recordChange, type Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { whyNotUrl, whyRefused } from "../../../lib/guarded-request.ts";
import type { Base } from "../../module.ts";
import { listAttempts } from "./attempt-store.ts";
import {
  cancelDeliveries,
  type Delivery,
  listDeliveries,
  renewDeliveries,
} from "./delivery-store.ts";
import {
  createEndpoint,
  type Endpoint,
  type EndpointRef,
  findEndpoint,
  listAbandonedListeners,
  listEndpoints,
  removeEndpoint,
  setLease,
} from "./endpoint-store.ts";
import type { RecordAudit } from "./webhook-dispatcher.ts";
import { DELIVER_JOB, toSubject } from "./webhook-outbox.ts";
import { type Attempt, createSecret } from "./webhook-sender.ts";

/** A listener asks about purchases only by a webhook of its own: it may end at any time. */
export const LISTENED_KINDS: readonly WebhookKind[] = WEBHOOK_KINDS.filter(
  (kind) => kind !== "TRANSACTION" && kind !== "RECEIPT",
);

/** @throws Problem INVALID_REQUEST if a listener cannot take one of the kinds */
export function checkListened(kinds: readonly WebhookKind[]): void {
  const other = kinds.find((kind) => !LISTENED_KINDS.includes(kind));
  if (other) {
    throw invalidField("kinds", `cannot have ${other}, because this webhook is a listener`);
  }
}

/** Maximum time between the end of a listener and the end of its forwarding. */
const LEASE_MS = 10 * SECOND;
/** A listener that has not run for this time is removed with its waiting messages. */
const ABANDONED_AFTER_MS = 7 * DAY;
const MAX_LISTENERS = 10;
const CHANGES_AT_ONCE = 200;
const POLICY = { allowPrivate: true, privateOnly: true };

interface ListenerServiceDeps
  extends Pick<Base, "db" | "transactor" | "clock" | "machineClock" | "ids" | "sealer"> {
  recordAudit: RecordAudit;
}

export interface OpenListener {
  ref: EndpointRef;
  /** Signing secret of a new listener. */
  secret: string | undefined;
  /** Number of messages that wait since the last run. */
  missed: number;
  /** Number of the last change that an earlier run has printed. */
  cursor: number;
}

export interface ForwardedMessage {
  delivery: Delivery;
  attempt: Attempt | undefined;
}

/**
 * Listeners of `tillgate webhooks listen`. A listener is a webhook of its own, to an address of this
 * machine or a private network. The gateway sends its messages, as those of other webhooks, while
 * the listener holds a lease. Other messages wait. A killed listener therefore loses nothing and
 * repeats nothing: its messages, attempts and cursor are rows, and the gateway completes each
 * attempt that it started (rules#webhook-listener).
 */
export class ListenerService {
  readonly #deps: ListenerServiceDeps;

  constructor(deps: ListenerServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Resumes the listener of this address and these kinds, or creates it.
   * @throws Problem INVALID_REQUEST naming the field
   */
  async open(
    author: Author,
    { environment, url: text, kinds = LISTENED_KINDS }: ListenerInput,
  ): Promise<OpenListener> {
    const { transactor, clock, ids, sealer, recordAudit } = this.#deps;
    const { accountId } = author;
    const url = await readForward(text);
    const at = clock.now();
    return transactor.transact(accountId, async (tx) => {
      const scope = { accountId, environment };
      const found = await this.#find(tx, scope, { url, kinds });
      const secret = found ? undefined : createSecret(ids);
      const ref = { ...scope, endpointId: found?.endpointId ?? ids.uuid() };
      const cursor = found?.listenerCursor ?? (await latestChangeId(tx, accountId));
      if (secret !== undefined) {
        const target = { url, headerName: undefined, sealedHeaderValue: undefined };
        const sealedSecret = sealer.seal(secret);
        const endpoint = { ...ref, ...target, kinds, sealedSecret, description: undefined };
        const created = { ...endpoint, allowPrivate: true, createdAt: at };
        if (!(await createEndpoint(tx, created))) throw refused("is a registered webhook already");
      }
      const missed = await renewDeliveries(tx, ref, at);
      await this.#lease(tx, ref, cursor);
      await enqueueJob(tx, { kind: DELIVER_JOB, subject: toSubject(ref), runAt: at });
      const action = secret === undefined ? "webhook.resume" : "webhook.add";
      const detail = toListenerDetail({ environment, kinds, url });
      await recordAudit(tx, { ...author, action, subject: ref.endpointId, detail, at });
      await recordChange(tx, ref, { topic: "webhook", subject: ref.endpointId, at });
      return { ref, secret, missed, cursor };
    });
  }

  /**
   * Extends the lease and stores the cursor.
   * @returns false if the listener was removed
   */
  async renew(ref: EndpointRef, cursor: number): Promise<boolean> {
    const { transactor, clock, machineClock } = this.#deps;
    return transactor.transact(ref.accountId, async (tx) => {
      const listener = await findEndpoint(tx, ref);
      if (listener?.listeningUntil === undefined) return false;
      const hasEnded = listener.listeningUntil <= machineClock.now();
      await this.#lease(tx, ref, cursor);
      const job = { kind: DELIVER_JOB, subject: toSubject(ref), runAt: clock.now() };
      if (hasEnded) await enqueueJob(tx, job);
      return true;
    });
  }

  /** Ends the lease. Later messages wait for the next run. */
  async close(ref: EndpointRef, cursor: number): Promise<void> {
    const { transactor, machineClock } = this.#deps;
    const lease = { until: machineClock.now(), cursor };
    await transactor.transact(ref.accountId, (tx) => setLease(tx, ref, lease));
  }

  /** Returns the messages whose forwarding has ended after the cursor, in the order of their ends. */
  async read(
    ref: EndpointRef,
    after: number,
  ): Promise<{ messages: ForwardedMessage[]; cursor: number; isMore: boolean }> {
    const { db } = this.#deps;
    const changes = await listChanges(db, ref.accountId, after, CHANGES_AT_ONCE);
    const messages: ForwardedMessage[] = [];
    const { environment } = ref;
    const ofScope = changes.filter((change) => change.environment === environment);
    const subjects = ofScope.filter(({ topic }) => topic === "webhook").map((one) => one.subject);
    // A message whose attempts have ended several times is returned with its last attempt.
    for (const deliveryId of new Set(subjects)) {
      const filter = { environment, deliveryId, endpointId: ref.endpointId };
      const page = { limit: 1, offset: 0 };
      const [delivery] = (await listDeliveries(db, ref.accountId, filter, page)).list;
      if (!delivery) continue;
      const attempts = await listAttempts(db, ref.accountId, [deliveryId]);
      messages.push({ delivery, attempt: attempts.get(deliveryId)?.at(-1) });
    }
    const cursor = changes.at(-1)?.changeId ?? after;
    return { messages, cursor, isMore: changes.length === CHANGES_AT_ONCE };
  }

  async #find(
    tx: Tx,
    { accountId, environment }: Scope,
    { url, kinds }: { url: string; kinds: readonly WebhookKind[] },
  ): Promise<Endpoint | undefined> {
    const all = await listEndpoints(tx, { accountId, environment });
    const listeners = all.filter(({ listeningUntil }) => listeningUntil !== undefined);
    const isSame = (other: Endpoint) =>
      other.url === url &&
      other.kinds.length === kinds.length &&
      other.kinds.every((kind) => kinds.includes(kind));
    const found = listeners.find(isSame);
    const { machineClock } = this.#deps;
    if (found && (found.listeningUntil ?? 0) > machineClock.now()) {
      const wait_s = LEASE_MS / SECOND;
      throw refused(`has a listener that still runs; after a crash, wait ${wait_s} seconds`);
    }
    if (!found && listeners.length >= MAX_LISTENERS) {
      throw refused(`cannot be added to ${MAX_LISTENERS} listeners; remove one of webhooks list`);
    }
    return found;
  }

  #lease(tx: Tx, ref: EndpointRef, cursor: number): Promise<void> {
    const until = this.#deps.machineClock.now() + LEASE_MS;
    return setLease(tx, ref, { until, cursor });
  }
}

interface ListenerInput extends Pick<Scope, "environment"> {
  url: string;
  kinds?: readonly WebhookKind[] | undefined;
}

/**
 * Removes a listener that has not run for a week, and audits its removal.
 * @returns whether another such listener may exist
 */
export async function removeAbandonedListener(
  { db, transactor, recordAudit }: Pick<ListenerServiceDeps, "db" | "transactor" | "recordAudit">,
  now: number,
): Promise<boolean> {
  const [ref] = await listAbandonedListeners(db, now - ABANDONED_AFTER_MS);
  if (!ref) return false;
  const { accountId, endpointId: subject } = ref;
  await transactor.transact(accountId, async (tx) => {
    const listener = await findEndpoint(tx, ref);
    if (!listener) return;
    await removeEndpoint(tx, ref, now);
    await cancelDeliveries(tx, ref, WEBHOOK_KINDS);
    const entry = { accountId, action: "webhook.remove", subject, at: now } as const;
    await recordAudit(tx, { ...entry, detail: toListenerDetail(listener) });
    await recordChange(tx, ref, { topic: "webhook", subject, at: now });
  });
  return true;
}

function toListenerDetail(listener: Pick<Endpoint, "environment" | "kinds" | "url">) {
  const { environment, kinds, url } = listener;
  return { environment, kind: kinds.join(", "), host: new URL(url).host, listener: true };
}

/**
 * The addresses of the name are checked again at every connection.
 * @throws Problem INVALID_REQUEST unless the address is of this machine or a private network
 */
async function readForward(text: string): Promise<string> {
  const fault = whyNotUrl(text);
  if (fault) throw refused(fault);
  const { href, hostname } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const refusal = addresses.map((address) => whyRefused(address, POLICY)).find(Boolean);
  if (refusal === undefined) return href;
  throw refused(`must be of this machine or a private network, not ${host}: ${refusal}`);
}

async function resolve(host: string): Promise<string[]> {
  try {
    return (await resolveName(host, { all: true })).map(({ address }) => address);
  } catch {
    throw refused(`must be of this machine or a private network: there is no server ${host}`);
  }
}

function refused(rule: string): Problem {
  return new Problem("INVALID_REQUEST", `The address to forward to ${rule}.`, { forward: rule });
}
