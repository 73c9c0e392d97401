import { webhookOperations } from "../../../contract/pos/webhooks.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { WebhookService } from "./webhook-service.ts";

/** An owner's webhooks of both environments. */
export function registerWebhookRoutes(
  app: App,
  { accountId, webhooks }: { accountId: string; webhooks: WebhookService },
): void {
  handle(app, webhookOperations.list, async () => ({ list: await webhooks.list(accountId) }));

  handle(app, webhookOperations.add, ({ actor, body }) => webhooks.add(actorOf(actor), body));

  handle(app, webhookOperations.remove, async ({ actor, params }) => {
    await webhooks.remove(actorOf(actor), params.webhookId);
    return {};
  });

  handle(app, webhookOperations.change, async ({ actor, params, body }) => {
    await webhooks.change(actorOf(actor), params.webhookId, body);
    return {};
  });

  handle(app, webhookOperations.rotateSecret, ({ actor, params }) =>
    webhooks.rotateSecret(actorOf(actor), params.webhookId),
  );

  handle(app, webhookOperations.resume, async ({ actor, params }) => {
    await webhooks.resume(actorOf(actor), params.webhookId);
    return {};
  });

  handle(app, webhookOperations.test, ({ actor, params }) =>
    webhooks.test(actorOf(actor), params.webhookId),
  );

  handle(app, webhookOperations.listDeliveries, async ({ query }) => {
    const { _limit: limit, _offset: offset } = query;
    return { limit, offset, ...(await webhooks.listDeliveries(accountId, query)) };
  });

  handle(app, webhookOperations.resend, ({ actor, params }) =>
    webhooks.resend(actorOf(actor), params.deliveryId),
  );
}

/** A webhook is of the account, whatever the till sells in. */
function actorOf({ accountId, staffId }: SignedInActor) {
  return { accountId, staffId };
}
