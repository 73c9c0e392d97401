import { createHmac } from "node:crypto";
import { SECOND } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";

/** A signing secret as the Standard Webhooks specification writes it: `whsec_` and base64. */
export function createSecret(ids: Ids): string {
  const bytes = Buffer.from(ids.secret(SECRET_BYTES), "base64url");
  return SECRET_PREFIX + bytes.toString("base64");
}

/**
 * The headers that let a receiver check who sent a message and when (Standard Webhooks): HMAC-SHA256
 * of `id.timestamp.body`, by each secret that is valid. The id is the same at each attempt, the time is the
 * attempt's own.
 */
export function signatureHeaders(
  secrets: readonly string[],
  message: { id: string; body: string; at: number },
): Record<string, string> {
  const timestamp_s = Math.floor(message.at / SECOND);
  const signed = `${message.id}.${timestamp_s}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp_s),
    "webhook-signature": signatures.join(" "),
  };
}
