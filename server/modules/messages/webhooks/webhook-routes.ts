import { webhookOperations } from "../../../contract/pos/webhooks.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import type { WebhookService } from "./webhook-service.ts";

export function registerWebhookRoutes(
  app: App,
  { accountId, webhooks }: { accountId: string; webhooks: WebhookService },
): void {
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
