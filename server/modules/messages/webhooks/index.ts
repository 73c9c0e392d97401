import { CLAIMS } from "../../../db/account-lock.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import { encodeSubject } from "../../../jobs/job-subject.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { type SendOutgoing, sendGuarded } from "../../../lib/guarded-request.ts";
import type { Base, Module } from "../../module.ts";
import { type AttemptRef, endAttempt, startAttempt } from "./attempt-store.ts";
import { createDelivery, type Delivery, listDeliveries, updateDelivery } from "./delivery-store.ts";
import {
  clearFailures,
  type Endpoint,
  findEndpoint,
  listEndpointsOfKind,
  noteFailure,
} from "./endpoint-store.ts";
import { ListenerService } from "./listener-service.ts";
import { ClaimedDeliveries, OwnDeliveries, type UnderWay } from "./under-way.ts";
import {
  alertOwner,
  describeFailure,
  noteFailedAttempt,
  type RecordAudit,
  toMessage,
  WebhookDispatcher,
} from "./webhook-dispatcher.ts";
import { DELIVER_JOB } from "./webhook-outbox.ts";
import { type Attempt, DELIVERY_TIMEOUT_MS, isTaken, WebhookSender } from "./webhook-sender.ts";
import { WebhookService } from "./webhook-service.ts";

export { forgetDeliveriesOf, pruneDeliveries } from "./delivery-store.ts";
export { listEndpoints, listEndpointsOfKind } from "./endpoint-store.ts";
export {
  type ForwardedMessage,
  LISTENED_KINDS,
  type OpenListener,
  removeAbandonedListener,
} from "./listener-service.ts";
export { RETRY_DELAYS_MS } from "./webhook-dispatcher.ts";
export { MAX_ENDPOINTS } from "./webhook-input.ts";
export { DELIVER_JOB, enqueueMessage, takesMessages } from "./webhook-outbox.ts";
export { createSecret } from "./webhook-sender.ts";
export { type PreparedEndpoint, WebhookService } from "./webhook-service.ts";

interface MessageReceiver {
  host: string;
  endpoint: Endpoint;
}

/**
 * Posts receipts through a webhook of kind RECEIPT to the shop's own system, which sends them to
 * the customers (rules#receipt-messages).
 */
export class ReceiptMessages {
  readonly #deps: { sender: WebhookSender; recordAudit: RecordAudit };

  constructor(deps: { sender: WebhookSender; recordAudit: RecordAudit }) {
    this.#deps = deps;
  }

  /** Returns undefined if there is no receiver, or if the receiver is paused. */
  async findReceiver(db: Db | Tx, scope: Scope): Promise<MessageReceiver | undefined> {
    const [endpoint] = await listEndpointsOfKind(db, scope, "RECEIPT");
    if (!endpoint || endpoint.pausedAt !== undefined) return undefined;
    return { host: new URL(endpoint.url).host, endpoint };
  }

  /** Posts once. Returns undefined if the gateway stops before the response. */
  post(
    { endpoint }: MessageReceiver,
    message: { id: string; body: string },
  ): Promise<Attempt | undefined> {
    return this.#deps.sender.post(endpoint, { ...message, kind: "RECEIPT" }, DELIVERY_TIMEOUT_MS);
  }

  /** @returns the reason if the attempt failed */
  async note(tx: Tx, { endpoint }: MessageReceiver, attempt: Attempt): Promise<string | undefined> {
    if (isTaken(attempt)) {
      await clearFailures(tx, endpoint);
      return undefined;
    }
    const reason = describeFailure(attempt);
    const failure = { at: attempt.endedAt, reason };
    await noteFailedAttempt(tx, this.#deps.recordAudit, endpoint, failure);
    return reason;
  }
}

type WebhooksModuleDeps = Base &
  Pick<ConstructorParameters<typeof WebhookService>[0], "recordAudit"> & {
    sendOutgoing?: SendOutgoing;
  };

export function createWebhooksModule({ sendOutgoing = sendGuarded, ...deps }: WebhooksModuleDeps) {
  const { accountId, db, transactor, claimant, log } = deps;
  const claimed = claimant && new ClaimedDeliveries({ db, claimant });
  const sender = new WebhookSender({ ...deps, send: sendOutgoing });
  const webhooks = new WebhookService({ ...deps, sender });
  const listeners = new ListenerService(deps);
  const dispatcher = new WebhookDispatcher({
    ...deps,
    sender,
    underWay: claimed ?? new OwnDeliveries(),
  });
  const receiptMessages = new ReceiptMessages({ ...deps, sender });
  // Verifications do not count as deliveries that an endpoint gets at once.
  const verifier = new Verifier({ ...deps, sender, underWay: claimed ?? new OwnDeliveries() });
  return {
    services: { webhooks, listeners, sender, verifier, receiptMessages },
    jobs: [{ kind: DELIVER_JOB, run: (subject) => dispatcher.deliver(subject) }],
    pos: (app) => registerWebhookRoutes(app, { accountId, webhooks }),
    recover: () => dispatcher.recover(),
    async release() {
      await sender.stop();
      if (!claimed) return;
      await transactor
        .transact(CLAIMS, (tx) => claimed.leave(tx))
        .catch((error: unknown) =>
          log.error({ err: error }, "could not release webhook deliveries for other processes"),
        );
    },
  } satisfies Module;
}

async function registerWebhookRoutes(
  app: App,
  { accountId, webhooks }: { accountId: string; webhooks: WebhookService },
): Promise<void> {
  const { webhookOperations } = await import("../../../contract/pos/webhooks.ts");
  handle(app, webhookOperations.list, async () => ({ list: await webhooks.list(accountId) }));

  handle(app, webhookOperations.add, async (call) => {
    const { actor, body } = call;
    if (body.environment === "live") await requireOwnPin(call);
    return webhooks.add(toAuthor(actor), body);
  });

  handle(app, webhookOperations.remove, async (call) => {
    const { webhookId } = call.params;
    await requirePinIfLive(call, webhookId);
    await webhooks.remove(toAuthor(call.actor), webhookId);
    return {};
  });

  handle(app, webhookOperations.change, async (call) => {
    const { webhookId } = call.params;
    await requirePinIfLive(call, webhookId);
    await webhooks.change(toAuthor(call.actor), webhookId, call.body);
    return {};
  });

  handle(app, webhookOperations.rotateSecret, async (call) => {
    const { webhookId } = call.params;
    await requirePinIfLive(call, webhookId);
    const { oldSecretHours } = call.query;
    return webhooks.rotateSecret(toAuthor(call.actor), webhookId, oldSecretHours);
  });

  /**
   * Requires the PIN for a live webhook, which gets the codes of every sale or can block purchases.
   */
  async function requirePinIfLive(
    call: Parameters<typeof requireOwnPin>[0],
    webhookId: string,
  ): Promise<void> {
    const webhook = (await webhooks.list(accountId)).find((one) => one.webhookId === webhookId);
    if (webhook?.environment === "live") await requireOwnPin(call);
  }

  handle(app, webhookOperations.resume, async ({ actor, params }) => {
    await webhooks.resume(toAuthor(actor), params.webhookId);
    return {};
  });

  handle(app, webhookOperations.test, ({ actor, params }) =>
    webhooks.test(toAuthor(actor), params.webhookId),
  );

  handle(app, webhookOperations.listDeliveries, async ({ query }) => {
    const { _limit: limit, _offset: offset } = query;
    return { limit, offset, ...(await webhooks.listDeliveries(accountId, query)) };
  });

  handle(app, webhookOperations.resend, ({ actor, params }) =>
    webhooks.resend(toAuthor(actor), params.deliveryId),
  );
}

/** A webhook belongs to the account, not to the till's environment. */
function toAuthor({ accountId, staffId }: SignedInActor) {
  return { accountId, staffId };
}

/** The answer of the shop's own system (rules#verification-asked-first). */
export type Verdict = "allowed" | "blocked" | "unverified";

interface TransactionRef extends Scope {
  transactionId: string;
}

/** Without a response, the purchase is blocked as unverified (rules#verification-asked-first). */
const VERIFICATION_TIMEOUT_MS = 20 * SECOND;
const CONCURRENT_QUESTIONS = 64;
const NOT_FOUND = 404;
const VERIFICATION = "TRANSACTION";

interface Verification {
  verifier: Endpoint;
  delivery: Delivery;
}

interface StartedVerification extends Verification {
  attempt: AttemptRef;
}

interface VerifierDeps {
  underWay: UnderWay;
  transactor: Transactor;
  clock: Clock;
  sender: WebhookSender;
  recordAudit: RecordAudit;
}

/**
 * Verifies transactions before money moves, through a webhook of kind TRANSACTION. 2xx allows, 404
 * blocks, and any other response or a timeout blocks as unverified. A verification without a stored
 * response is sent again with the same id.
 */
export class Verifier {
  readonly #deps: VerifierDeps;
  readonly #underWay = new Set<string>();

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  async hasEndpoint(db: Db | Tx, scope: Scope): Promise<boolean> {
    return (await this.#findVerifier(db, scope)) !== undefined;
  }

  async hasAllowed(db: Db | Tx, ref: TransactionRef): Promise<boolean> {
    return (await this.#findQuestion(db, ref))?.delivery.state === "DELIVERED";
  }

  isUnderWay(ref: TransactionRef): boolean {
    return this.#underWay.has(encodeSubject(ref, ref.transactionId));
  }

  /**
   * Reserves a concurrent request, until `query` or `release` frees the reservation.
   * @returns false if all requests are reserved, or the transaction is already being verified
   */
  reserve(ref: TransactionRef): boolean {
    if (this.#underWay.size >= CONCURRENT_QUESTIONS || this.isUnderWay(ref)) return false;
    this.#underWay.add(encodeSubject(ref, ref.transactionId));
    return true;
  }

  release(ref: TransactionRef): void {
    this.#underWay.delete(encodeSubject(ref, ref.transactionId));
  }

  /**
   * Stores a verification once.
   * @param record the generic transaction (rules#record-generic-transaction)
   */
  async open(tx: Tx, ref: TransactionRef, record: object, at: number): Promise<void> {
    const verifier = await this.#findVerifier(tx, ref);
    if (!verifier) return;
    const body = JSON.stringify(record);
    const content = { kind: VERIFICATION, subject: ref.transactionId, body, at } as const;
    await createDelivery(tx, verifier, { ...content, nextAttemptAt: null });
  }

  /**
   * Sends the stored verification. Needs a reservation. `settle` runs in the transaction that
   * stores the response.
   */
  async query(
    ref: TransactionRef,
    settle: (tx: Tx, verdict: Verdict) => Promise<void>,
  ): Promise<void> {
    const { transactor, sender, underWay } = this.#deps;
    let begun: Delivery | undefined;
    try {
      const question = await transactor.transact(ref.accountId, async (tx) => {
        const found = await this.#findQuestion(tx, ref);
        begun = found?.delivery;
        return found && this.#recordStart(tx, found);
      });
      if (question) {
        sender.run(() => this.#verify(question, settle).finally(() => this.release(ref)));
      } else this.release(ref);
    } catch (error) {
      if (begun) underWay.forget(begun);
      this.release(ref);
      throw error;
    }
  }

  async #recordStart(tx: Tx, question: Verification): Promise<StartedVerification | undefined> {
    // Another process may be sending the verification.
    if (!(await this.#deps.underWay.start(tx, question.delivery))) return undefined;
    const attempt = await startAttempt(tx, question.delivery, this.#deps.clock.now());
    return { ...question, attempt };
  }

  async #verify(
    { verifier, delivery, attempt: attemptRef }: StartedVerification,
    settle: (tx: Tx, verdict: Verdict) => Promise<void>,
  ): Promise<void> {
    const { transactor, sender, underWay } = this.#deps;
    try {
      if (!(await underWay.has(delivery))) return;
      const attempt = await sender.post(verifier, toMessage(delivery), VERIFICATION_TIMEOUT_MS);
      if (!attempt) return;
      await transactor.transact(delivery.accountId, async (tx) => {
        await endAttempt(tx, attemptRef, attempt);
        // Only the response of the claiming process counts.
        if (!(await underWay.end(tx, delivery))) return;
        // The response of a webhook that no longer verifies does not count.
        if (!(await findEndpoint(tx, delivery))?.kinds.includes(VERIFICATION)) return;
        const verdict = toVerdict(attempt);
        await this.#record(tx, delivery, attempt, verdict);
        await settle(tx, verdict);
      });
    } finally {
      underWay.forget(delivery);
    }
  }

  async #record(tx: Tx, delivery: Delivery, attempt: Attempt, verdict: Verdict): Promise<void> {
    const state = verdict === "unverified" ? "FAILED" : "DELIVERED";
    await updateDelivery(tx, delivery, { state, failures: 0, nextAttemptAt: null });
    if (verdict !== "unverified") return clearFailures(tx, delivery);
    const at = attempt.endedAt;
    const reason = describeFailure(attempt);
    await noteFailure(tx, delivery, { at, reason });
    const { subject } = delivery;
    const alert = { action: "webhook.unverified", subject, reason, at } as const;
    await alertOwner(tx, this.#deps.recordAudit, { ...delivery, ...alert });
  }

  async #findVerifier(db: Db | Tx, scope: Scope): Promise<Endpoint | undefined> {
    return (await listEndpointsOfKind(db, scope, VERIFICATION))[0];
  }

  async #findQuestion(db: Db | Tx, ref: TransactionRef): Promise<Verification | undefined> {
    const verifier = await this.#findVerifier(db, ref);
    if (!verifier) return undefined;
    const { environment, endpointId } = verifier;
    const { transactionId } = ref;
    const filter = { environment, endpointId, transactionId, kind: VERIFICATION } as const;
    const found = await listDeliveries(db, ref.accountId, filter, { limit: 1, offset: 0 });
    const [delivery] = found.list;
    return delivery && { verifier, delivery };
  }
}

function toVerdict(attempt: Attempt): Verdict {
  if (isTaken(attempt)) return "allowed";
  return attempt.status === NOT_FOUND ? "blocked" : "unverified";
}
