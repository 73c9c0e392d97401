import {
  HEADER_NAME_PATTERN,
  HEADER_VALUE_PATTERN,
  type WebhookChange,
} from "../../contract/pos/webhooks.ts";
import { Problem } from "../../contract/problem.ts";
import { whyNotUrl } from "../../lib/guarded-request.ts";
import type { Target } from "./webhook-sender.ts";

/** Headers that make the message what it is, and are not the owner's to set. */
const OWN_HEADERS =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|user-agent|webhook-.*)$/i;

const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN);
const HEADER_VALUE = new RegExp(HEADER_VALUE_PATTERN);

/** @throws Problem INVALID_REQUEST naming the field */
export function targetOf(input: WebhookChange): Target {
  const fault = whyNotUrl(input.url);
  if (fault) throw invalid("url", fault);
  const { headerName: name, headerValue: value, allowPrivate = false } = input;
  if (name === undefined && value !== undefined) throw invalid("headerName", "is required");
  if (name !== undefined && value === undefined) throw invalid("headerValue", "is required");
  const url = new URL(input.url).href;
  if (name === undefined || value === undefined) return { url, header: undefined, allowPrivate };
  if (!HEADER_NAME.test(name)) throw invalid("headerName", "must be the name of an HTTP header");
  if (OWN_HEADERS.test(name)) throw invalid("headerName", "cannot be set");
  if (!HEADER_VALUE.test(value)) throw invalid("headerValue", "must be visible ASCII characters");
  return { url, header: { name, value }, allowPrivate };
}

export function invalid(field: string, rule: string): Problem {
  return new Problem("INVALID_REQUEST", `${field} ${rule}${rule.endsWith(".") ? "" : "."}`, {
    [field]: rule,
  });
}

export function notPossible(why: string): Problem {
  return new Problem("INVALID_REQUEST", `It cannot be sent again: ${why}.`, { deliveryId: why });
}
