import { webhookOperations } from "../../../contract/pos/webhooks.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { WebhookService } from "./webhook-service.ts";

export function registerWebhookRoutes(
  app: App,
  { accountId, webhooks }: { accountId: string; webhooks: WebhookService },
): void {
  handle(app, webhookOperations.list, async () => ({ list: await webhooks.list(accountId) }));

  handle(app, webhookOperations.add, ({ actor, body }) => webhooks.add(toAuthor(actor), body));

  handle(app, webhookOperations.remove, async ({ actor, params }) => {
    await webhooks.remove(toAuthor(actor), params.webhookId);
    return {};
  });

  handle(app, webhookOperations.change, async ({ actor, params, body }) => {
    await webhooks.change(toAuthor(actor), params.webhookId, body);
    return {};
  });

  handle(app, webhookOperations.rotateSecret, ({ actor, params }) =>
    webhooks.rotateSecret(toAuthor(actor), params.webhookId),
  );

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
