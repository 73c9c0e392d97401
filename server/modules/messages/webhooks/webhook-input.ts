import { PLAIN_TEXT } from "../../../contract/common.ts";
import {
  HEADER_NAME_PATTERN,
  HEADER_VALUE_PATTERN,
  MAX_DESCRIPTION,
  WEBHOOK_KINDS,
  type WebhookInput,
  type WebhookKind,
} from "../../../contract/pos/webhooks.ts";
import { Problem } from "../../../contract/problem.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import type { Target } from "./webhook-sender.ts";

type TargetInput = Pick<WebhookInput, "url" | "headerName" | "headerValue" | "allowPrivate">;

/** The gateway sets these headers itself. */
const OWN_HEADERS =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|user-agent|webhook-.*)$/i;

const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN);
const HEADER_VALUE = new RegExp(HEADER_VALUE_PATTERN);

/** @throws Problem INVALID_REQUEST naming the field */
export function toTarget(input: TargetInput): Target {
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

/** @throws Problem INVALID_REQUEST naming the field */
export function toKinds({ kind, kinds }: Pick<WebhookInput, "kind" | "kinds">): WebhookKind[] {
  const isTwice = kind !== undefined && kinds !== undefined;
  if (isTwice) throw invalid("kinds", "cannot be given with kind");
  const wanted = kind === undefined ? kinds : [kind];
  if (wanted === undefined) throw invalid("kinds", "is required");
  return WEBHOOK_KINDS.filter((known) => wanted.includes(known));
}

const DESCRIPTION = new RegExp(PLAIN_TEXT.pattern);

/**
 * @returns undefined for an empty text
 * @throws Problem INVALID_REQUEST naming the field
 */
export function toDescription(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (DESCRIPTION.test(text) && text.length <= MAX_DESCRIPTION) return text;
  throw invalid("description", `must have at most ${MAX_DESCRIPTION} characters of plain text`);
}
