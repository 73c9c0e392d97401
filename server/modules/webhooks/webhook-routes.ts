import { Type } from "typebox";
import {
  WebhookCreated,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryParams,
  WebhookDeliveryQuery,
  WebhookInput,
  WebhookList,
  WebhookParams,
} from "../../contract/pos/webhooks.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { WebhookService } from "./webhook-service.ts";

/** `/pos/webhooks`: an owner's webhooks of both environments. */
export function registerWebhookRoutes(
  app: App,
  { accountId, webhooks }: { accountId: string; webhooks: WebhookService },
): void {
  const onRequest = requireOwner;

  app.get("/webhooks", { onRequest, schema: { response: answers(WebhookList) } }, async () => ({
    list: await webhooks.list(accountId),
  }));

  app.post(
    "/webhooks",
    { onRequest, schema: { body: WebhookInput, response: answers(WebhookCreated) } },
    (request) => webhooks.add(actorOf(request), request.body),
  );

  app.delete(
    "/webhooks/:webhookId",
    { onRequest, schema: { params: WebhookParams, response: answers(Type.Object({})) } },
    async (request) => {
      await webhooks.remove(actorOf(request), request.params.webhookId);
      return {};
    },
  );

  app.post(
    "/webhooks/:webhookId/resume",
    { onRequest, schema: { params: WebhookParams, response: answers(Type.Object({})) } },
    async (request) => {
      await webhooks.resume(actorOf(request), request.params.webhookId);
      return {};
    },
  );

  app.get(
    "/webhooks/deliveries",
    {
      onRequest,
      schema: { querystring: WebhookDeliveryQuery, response: answers(WebhookDeliveryPage) },
    },
    async (request) => {
      const { _limit: limit, _offset: offset } = request.query;
      return { limit, offset, ...(await webhooks.listDeliveries(accountId, request.query)) };
    },
  );

  app.post(
    "/webhooks/deliveries/:deliveryId/resend",
    {
      onRequest,
      schema: { params: WebhookDeliveryParams, response: answers(WebhookDelivery) },
    },
    (request) => webhooks.resend(actorOf(request), request.params.deliveryId),
  );
}

function actorOf(request: Parameters<typeof cashierOf>[0]) {
  const { accountId, staffId } = cashierOf(request);
  return { accountId, staffId };
}
