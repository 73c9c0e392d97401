import { CLAIMS } from "../../../db/account-lock.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import { type SendOutgoing, sendGuarded } from "../../../lib/guarded-request.ts";
import type { Base, Module } from "../../module.ts";
import { clearFailures, type Endpoint, listEndpointsOfKind } from "./endpoint-store.ts";
import { ListenerService } from "./listener-service.ts";
import type { RecordAudit } from "./owner-alert.ts";
import { ClaimedDeliveries, OwnDeliveries } from "./under-way.ts";
import { Verifier } from "./verifier.ts";
import { describeFailure, noteFailedAttempt, WebhookDispatcher } from "./webhook-dispatcher.ts";
import { DELIVER_JOB } from "./webhook-outbox.ts";
import { type Attempt, DELIVERY_TIMEOUT_MS, isTaken, WebhookSender } from "./webhook-sender.ts";
import { WebhookService } from "./webhook-service.ts";

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

export { forgetDeliveriesOf, pruneDeliveries } from "./delivery-store.ts";
export { listEndpoints, listEndpointsOfKind } from "./endpoint-store.ts";
export {
  type ForwardedMessage,
  LISTENED_KINDS,
  type OpenListener,
  removeAbandonedListener,
} from "./listener-service.ts";
export { type Verdict, Verifier } from "./verifier.ts";
export { RETRY_DELAYS_MS } from "./webhook-dispatcher.ts";
export { MAX_ENDPOINTS } from "./webhook-input.ts";
export { DELIVER_JOB, enqueueMessage, takesMessages } from "./webhook-outbox.ts";
export { createSecret } from "./webhook-sender.ts";
export { type PreparedEndpoint, WebhookService } from "./webhook-service.ts";

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
