import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { clearFailures, type Endpoint, listEndpointsOfKind } from "./endpoint-store.ts";
import type { RecordAudit } from "./owner-alert.ts";
import { describeFailure, noteFailedAttempt } from "./webhook-dispatcher.ts";
import {
  type Attempt,
  DELIVERY_TIMEOUT_MS,
  isTaken,
  type WebhookSender,
} from "./webhook-sender.ts";

export interface MessageReceiver {
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
