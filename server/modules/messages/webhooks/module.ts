import { CLAIMS } from "../../../db/account-lock.ts";
import { type SendOutgoing, sendGuarded } from "../../../lib/guarded-request.ts";
import type { Base, Module } from "../../module.ts";
import { ListenerService } from "./listener-service.ts";
import { ReceiptMessages } from "./receipt-messages.ts";
import { ClaimedDeliveries, OwnDeliveries } from "./under-way.ts";
import { Verifier } from "./verifier.ts";
import { WebhookDispatcher } from "./webhook-dispatcher.ts";
import { DELIVER_JOB } from "./webhook-outbox.ts";
import { WebhookSender } from "./webhook-sender.ts";
import { WebhookService } from "./webhook-service.ts";

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
    pos: async (app) =>
      (await import("./webhook-routes.ts")).registerWebhookRoutes(app, { accountId, webhooks }),
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
