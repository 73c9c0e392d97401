import { type SendOutgoing, sendGuarded } from "../../lib/guarded-request.ts";
import type { Base, Module } from "../module.ts";
import { VerificationDesk } from "./verification-desk.ts";
import { WebhookCourier } from "./webhook-courier.ts";
import { DELIVER_JOB } from "./webhook-outbox.ts";
import { registerWebhookRoutes } from "./webhook-routes.ts";
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
  const courier = new WebhookCourier({ ...deps, sender });
  const desk = new VerificationDesk({ ...deps, sender });
  return {
    services: { webhooks, sender, desk },
    jobs: [{ kind: DELIVER_JOB, run: (subject) => courier.deliver(subject) }],
    pos: (app) => registerWebhookRoutes(app, { accountId, webhooks }),
    recover: () => courier.recover(),
    release: () => sender.stop(),
  } satisfies Module;
}
