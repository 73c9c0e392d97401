import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { WebhookSignatureError } from "./errors.ts";
import type { webhooks } from "./v1.ts";

export type WebhookName = keyof webhooks;

export type WebhookBody<Name extends WebhookName> = webhooks[Name] extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

export interface WebhookMessage {
  /** The body as received, not parsed. */
  readonly body: string | Uint8Array;
  /** The request's headers: `Headers`, or the plain object of `node:http`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Checks the signature of a webhook message by the Standard Webhooks specification. Returns the
 * parsed body. Process each `webhook-id` only once, because a message may arrive twice.
 * @param secret the webhook's secret, or several while an old secret is being replaced
 * @throws WebhookSignatureError
 */
export function verifyWebhook<Name extends WebhookName>(
  message: WebhookMessage,
  secret: string | readonly string[],
): WebhookBody<Name> {
  const { body } = message;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const headers = toPlainHeaders(message.headers);
  let refusal: unknown;
  for (const one of typeof secret === "string" ? [secret] : secret) {
    try {
      return new Webhook(one).verify(text, headers) as WebhookBody<Name>;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      refusal = error;
    }
  }
  const reason = refusal instanceof Error ? refusal.message : "No secret was given";
  throw new WebhookSignatureError(`${reason}.`, { cause: refusal });
}

function toPlainHeaders(headers: WebhookMessage["headers"]): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const plain: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (value !== undefined) plain[name.toLowerCase()] = String(value);
  }
  return plain;
}
