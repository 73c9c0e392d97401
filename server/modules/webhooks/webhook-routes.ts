import { webhookOperations } from "../../contract/pos/webhook-operations.ts";
import type { App, Cashier } from "../../http/app-types.ts";
import { handle } from "../../http/pos-operations.ts";
import type { WebhookService } from "./webhook-service.ts";

/** An owner's webhooks of both environments. */
export function registerWebhookRoutes(
  app: App,
  { accountId, webhooks }: { accountId: string; webhooks: WebhookService },
): void {
  handle(app, webhookOperations.list, async () => ({ list: await webhooks.list(accountId) }));

  handle(app, webhookOperations.add, ({ cashier, body }) => webhooks.add(actorOf(cashier), body));

  handle(app, webhookOperations.remove, async ({ cashier, params }) => {
    await webhooks.remove(actorOf(cashier), params.webhookId);
    return {};
  });

  handle(app, webhookOperations.resume, async ({ cashier, params }) => {
    await webhooks.resume(actorOf(cashier), params.webhookId);
    return {};
  });

  handle(app, webhookOperations.listDeliveries, async ({ query }) => {
    const { _limit: limit, _offset: offset } = query;
    return { limit, offset, ...(await webhooks.listDeliveries(accountId, query)) };
  });

  handle(app, webhookOperations.resend, ({ cashier, params }) =>
    webhooks.resend(actorOf(cashier), params.deliveryId),
  );
}

/** A webhook is of the account, whatever the till sells in. */
function actorOf({ accountId, staffId }: Cashier) {
  return { accountId, staffId };
}
