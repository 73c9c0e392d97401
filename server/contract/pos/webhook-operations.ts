import { defineOperation, NOTHING } from "./operation.ts";
import {
  WebhookChange,
  WebhookCreated,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryParams,
  WebhookDeliveryQuery,
  WebhookInput,
  WebhookList,
  WebhookParams,
  WebhookSecret,
  WebhookTest,
} from "./webhooks.ts";

/** An owner's webhooks of both environments. */
export const webhookOperations = {
  list: defineOperation({
    method: "GET",
    path: "/webhooks",
    answer: WebhookList,
    access: "owner",
    refusals: [],
  }),
  add: defineOperation({
    method: "POST",
    path: "/webhooks",
    body: WebhookInput,
    answer: WebhookCreated,
    access: "owner",
    refusals: [],
  }),
  remove: defineOperation({
    method: "DELETE",
    path: "/webhooks/:webhookId",
    params: WebhookParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Without a header the one before is removed. */
  change: defineOperation({
    method: "PATCH",
    path: "/webhooks/:webhookId",
    params: WebhookParams,
    body: WebhookChange,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Deliveries are signed with both secrets for a day. */
  rotateSecret: defineOperation({
    method: "POST",
    path: "/webhooks/:webhookId/secret",
    params: WebhookParams,
    answer: WebhookSecret,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  resume: defineOperation({
    method: "POST",
    path: "/webhooks/:webhookId/resume",
    params: WebhookParams,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** Sends a sample, signed as every message is; it stands in no list of deliveries. */
  test: defineOperation({
    method: "POST",
    path: "/webhooks/:webhookId/test",
    params: WebhookParams,
    answer: WebhookTest,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  listDeliveries: defineOperation({
    method: "GET",
    path: "/webhooks/deliveries",
    query: WebhookDeliveryQuery,
    answer: WebhookDeliveryPage,
    access: "owner",
    refusals: [],
  }),
  resend: defineOperation({
    method: "POST",
    path: "/webhooks/deliveries/:deliveryId/resend",
    params: WebhookDeliveryParams,
    answer: WebhookDelivery,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
