import { type SendOutgoing, sendGuarded } from "../../lib/guarded-request.ts";
import type { Base, Module } from "../module.ts";
import { ReceiptMessages } from "./receipt-messages.ts";
import { Verifier } from "./verifier.ts";
import { WebhookDispatcher } from "./webhook-dispatcher.ts";
import { DELIVER_JOB } from "./webhook-outbox.ts";
import { WebhookSender } from "./webhook-sender.ts";
import { WebhookService } from "./webhook-service.ts";

type Deps = Base &
  Pick<ConstructorParameters<typeof WebhookService>[0], "recordAudit"> & {
    /** Calls other people's servers. */
    sendOutgoing?: SendOutgoing;
  };

export function createWebhooksModule({ sendOutgoing = sendGuarded, ...deps }: Deps) {
  const { accountId } = deps;
  const sender = new WebhookSender({ ...deps, send: sendOutgoing });
  const webhooks = new WebhookService({ ...deps, sender });
  const dispatcher = new WebhookDispatcher({ ...deps, sender });
  const receiptMessages = new ReceiptMessages({ ...deps, sender });
  const verifier = new Verifier({ ...deps, sender });
  return {
    services: { webhooks, sender, verifier, receiptMessages },
    jobs: [{ kind: DELIVER_JOB, run: (subject) => dispatcher.deliver(subject) }],
    pos: async (app) =>
      (await import("./webhook-routes.ts")).registerWebhookRoutes(app, { accountId, webhooks }),
    recover: () => dispatcher.recover(),
    release: () => sender.stop(),
  } satisfies Module;
}
