import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import type { DeliveryState } from "../../../contract/pos/webhooks.ts";
import { CLAIMS } from "../../../db/account-lock.ts";
import { transactByAccount } from "../../../db/by-account.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Base } from "../../module.ts";
import {
  type AttemptRef,
  closeCutOff,
  endAttempt,
  listCutOff,
  startAttempt,
} from "./attempt-store.ts";
import {
  type Delivery,
  failDelivery,
  findNextAttemptAt,
  listBusyEndpoints,
  listDueDeliveries,
  pullDeliveries,
  updateDelivery,
} from "./delivery-store.ts";
import {
  clearFailures,
  type Endpoint,
  type EndpointRef,
  findEndpoint,
  noteFailure,
  pauseEndpoint,
} from "./endpoint-store.ts";
import type { UnderWay } from "./under-way.ts";
import { DELIVER_JOB, parseSubject, toSubject } from "./webhook-outbox.ts";
import {
  type Attempt,
  DELIVERY_TIMEOUT_MS,
  isTaken,
  type Message,
  type WebhookSender,
} from "./webhook-sender.ts";
import { SAMPLE_PREFIX } from "./webhook-views.ts";

/** Delay after each failed attempt (rules#webhook-schedule). */
export const RETRY_DELAYS_MS = [
  SECOND,
  10 * SECOND,
  MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
];

/** Maximum number per endpoint. */
const CONCURRENT_DELIVERIES = 4;
const WATCH_INTERVAL_MS = DELIVERY_TIMEOUT_MS + 20 * SECOND;

interface StartedDelivery {
  delivery: Delivery;
  attempt: AttemptRef;
}

interface WebhookDispatcherDeps extends Pick<Base, "db" | "transactor" | "clock" | "machineClock"> {
  sender: WebhookSender;
  underWay: UnderWay;
  recordAudit: RecordAudit;
}

/**
 * `deliver` handles a durable job per endpoint. The job starts the due deliveries and returns, so
 * that a slow endpoint delays no other endpoint.
 */
export class WebhookDispatcher {
  readonly #deps: WebhookDispatcherDeps;

  constructor(deps: WebhookDispatcherDeps) {
    this.#deps = deps;
  }

  async recover(): Promise<void> {
    const { db, transactor, clock, underWay } = this.#deps;
    await transactor.transact(CLAIMS, (tx) => underWay.releaseEarlier(tx));
    const { isElsewhere } = underWay;
    await transactByAccount(transactor, await listCutOff(db, isElsewhere), (tx, _rows, accountId) =>
      closeCutOff(tx, accountId, isElsewhere),
    );
    for (const endpoint of await listBusyEndpoints(db)) {
      const subject = toSubject(endpoint);
      await transactor.transact(endpoint.accountId, (tx) =>
        enqueueJob(tx, { kind: DELIVER_JOB, subject, runAt: clock.now() }),
      );
    }
  }

  async deliver(subject: string): Promise<void> {
    const { transactor, clock, sender, underWay } = this.#deps;
    const ref = parseSubject(subject);
    const begun: StartedDelivery[] = [];
    try {
      const endpoint = await transactor.transact(ref.accountId, async (tx) => {
        const found = await findEndpoint(tx, ref);
        if (found && this.#isOpen(found)) {
          await pullDeliveries(tx, ref, clock.now(), RETRY_DELAYS_MS);
          const except = await underWay.list(tx, ref);
          const limit = Math.max(0, CONCURRENT_DELIVERIES - except.length);
          const look = { now: clock.now(), limit, except };
          const due = limit > 0 ? await listDueDeliveries(tx, ref, look) : [];
          for (const delivery of due) {
            begun.push({ delivery, attempt: await this.#recordStart(tx, delivery) });
            await underWay.start(tx, delivery);
          }
        }
        await this.#schedule(tx, ref);
        return found;
      });
      if (!endpoint) return;
      for (const each of begun) sender.run(() => this.#sendAttempt(endpoint, each));
    } catch (error) {
      for (const { delivery } of begun) underWay.forget(delivery);
      throw error;
    }
  }

  /**
   * Records an attempt as failed before it is sent, so that an interrupted attempt counts. An
   * interrupted last attempt is repeated once.
   */
  async #recordStart(tx: Tx, delivery: Delivery): Promise<AttemptRef> {
    const now = this.#deps.clock.now();
    const failures = Math.min(delivery.failures + 1, RETRY_DELAYS_MS.length);
    const nextAttemptAt = now + (RETRY_DELAYS_MS[failures - 1] ?? 0);
    await updateDelivery(tx, delivery, { state: "PENDING", failures, nextAttemptAt });
    return startAttempt(tx, delivery, now);
  }

  async #sendAttempt(
    endpoint: Endpoint,
    { delivery, attempt: ref }: StartedDelivery,
  ): Promise<void> {
    const { transactor, sender, underWay } = this.#deps;
    try {
      if (!(await underWay.has(delivery))) return;
      const attempt = await sender.post(endpoint, toMessage(delivery), DELIVERY_TIMEOUT_MS);
      if (!attempt) return;
      await transactor.transact(endpoint.accountId, async (tx) => {
        await endAttempt(tx, ref, attempt);
        // The claiming process stores the state.
        if (await underWay.end(tx, delivery)) await this.#record(tx, delivery, attempt);
        await this.#schedule(tx, endpoint);
      });
    } finally {
      underWay.forget(delivery);
    }
  }

  async #record(tx: Tx, delivery: Delivery, attempt: Attempt): Promise<void> {
    const at = attempt.endedAt;
    if (isTaken(attempt)) {
      await updateDelivery(tx, delivery, { state: "DELIVERED", failures: 0, nextAttemptAt: null });
      await clearFailures(tx, delivery);
    } else {
      const failures = delivery.failures + 1;
      // A verification resent by hand has no effect, so it is not retried.
      const delay_ms = delivery.kind === "TRANSACTION" ? undefined : RETRY_DELAYS_MS[failures - 1];
      const state: DeliveryState = delay_ms === undefined ? "FAILED" : "PENDING";
      const nextAttemptAt = delay_ms === undefined ? null : at + delay_ms;
      if (await failDelivery(tx, delivery, { state, failures, nextAttemptAt })) {
        const failure = { at, reason: describeFailure(attempt) };
        await noteFailedAttempt(tx, this.#deps.recordAudit, delivery, failure);
      }
    }
    await recordChange(tx, delivery, { topic: "webhook", subject: delivery.deliveryId, at });
  }

  /** Messages of a paused endpoint, and of a listener that does not run, wait. */
  #isOpen({ pausedAt, listeningUntil = Infinity }: Endpoint): boolean {
    return pausedAt === undefined && listeningUntil > this.#deps.machineClock.now();
  }

  async #schedule(tx: Tx, ref: EndpointRef): Promise<void> {
    const subject = toSubject(ref);
    const underWay = await this.#deps.underWay.list(tx, ref);
    const endpoint = await findEndpoint(tx, ref);
    const times: number[] = [];
    if (underWay.length > 0) times.push(this.#deps.clock.now() + WATCH_INTERVAL_MS);
    if (endpoint && this.#isOpen(endpoint) && underWay.length < CONCURRENT_DELIVERIES) {
      const next = await findNextAttemptAt(tx, ref, underWay);
      if (next !== undefined) times.push(next);
    }
    if (times.length === 0) await cancelJob(tx, DELIVER_JOB, subject);
    else await enqueueJob(tx, { kind: DELIVER_JOB, subject, runAt: Math.min(...times) });
  }
}

/**
 * Pauses an endpoint after a day of failures, and alerts the owner (rules#webhook-paused). A
 * webhook that verifies is never paused: during a pause, all purchases would pass unverified. A
 * listener is a developer's program, whose failures alert nobody.
 */
export async function noteFailedAttempt(
  tx: Tx,
  recordAudit: RecordAudit,
  { accountId, environment, endpointId }: EndpointRef,
  { at, reason }: { at: number; reason: string },
): Promise<void> {
  const ref = { accountId, environment, endpointId };
  const endpoint = await findEndpoint(tx, ref);
  if (endpoint?.listeningUntil !== undefined) return;
  const hopeless = await noteFailure(tx, ref, { at, reason });
  if (!hopeless || !endpoint || endpoint.pausedAt !== undefined) return;
  if (endpoint.kinds.includes("TRANSACTION")) return;
  await pauseEndpoint(tx, ref, at);
  const alert = { ...ref, action: "webhook.pause", subject: endpointId, reason, at } as const;
  await alertOwner(tx, recordAudit, alert);
}

export function toMessage({ deliveryId: id, kind, subject, body }: Delivery): Message {
  return { id, kind, body, isSample: subject.startsWith(SAMPLE_PREFIX) };
}

export function describeFailure({ status, error }: Attempt): string {
  if (status === undefined) return error ?? "No answer.";
  return error === undefined ? `It answered ${status}.` : `It answered ${status}. ${error}`;
}

export type RecordAudit = (
  tx: Tx,
  entry: {
    accountId: string;
    staffId?: string | undefined;
    action: AuditAction;
    subject: string;
    detail?: Record<string, string | number | boolean>;
    at: number;
  },
) => Promise<void>;

export async function alertOwner(
  tx: Tx,
  recordAudit: RecordAudit,
  alert: Scope & { action: AuditAction; subject: string; reason: string; at: number },
): Promise<void> {
  const { accountId, environment, action, subject, reason, at } = alert;
  const detail = { environment, reason };
  await recordAudit(tx, { accountId, staffId: undefined, action, subject, detail, at });
  await recordChange(tx, alert, { topic: "webhook", subject, at });
}
