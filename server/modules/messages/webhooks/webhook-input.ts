import { type Environment, PLAIN_TEXT } from "../../../contract/common.ts";
import {
  HEADER_NAME_PATTERN,
  HEADER_VALUE_PATTERN,
  isOnlyOne,
  MAX_DESCRIPTION,
  WEBHOOK_KINDS,
  type WebhookChange,
  type WebhookInput,
  type WebhookKind,
} from "../../../contract/pos/webhooks.ts";
import { invalidField, type Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import { type Endpoint, listEndpoints } from "./endpoint-store.ts";
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
  if (fault) throw invalidField("url", fault);
  const { headerName: name, headerValue: value, allowPrivate = false } = input;
  if (name === undefined && value !== undefined) throw invalidField("headerName", "is required");
  if (name !== undefined && value === undefined) throw invalidField("headerValue", "is required");
  const url = new URL(input.url).href;
  if (name === undefined || value === undefined) return { url, header: undefined, allowPrivate };
  if (!HEADER_NAME.test(name)) {
    throw invalidField("headerName", "must be the name of an HTTP header");
  }
  if (OWN_HEADERS.test(name)) throw invalidField("headerName", "cannot be set");
  if (!HEADER_VALUE.test(value)) {
    throw invalidField("headerValue", "must be visible ASCII characters");
  }
  return { url, header: { name, value }, allowPrivate };
}

/** @throws Problem INVALID_REQUEST naming the field */
export function toKinds({ kind, kinds }: Pick<WebhookInput, "kind" | "kinds">): WebhookKind[] {
  const isTwice = kind !== undefined && kinds !== undefined;
  if (isTwice) throw invalidField("kinds", "cannot be given with kind");
  const wanted = kind === undefined ? kinds : [kind];
  if (wanted === undefined) throw invalidField("kinds", "is required");
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
  throw invalidField(
    "description",
    `must have at most ${MAX_DESCRIPTION} characters of plain text`,
  );
}

/** Maximum number of webhooks per kind and environment. */
export const MAX_ENDPOINTS = 10;

export interface WantedEndpoint extends Scope {
  kinds: readonly WebhookKind[];
  url: string;
}

/**
 * Listeners take no room. Only one endpoint has the same address and the same kinds.
 * @param except the endpoint that is changed or replaced
 */
export async function checkRoom(
  db: Db | Tx,
  { accountId, environment, kinds, url }: WantedEndpoint,
  except: string | undefined,
): Promise<void> {
  const all = await listEndpoints(db, { accountId, environment });
  if (except !== undefined && !all.some(({ endpointId }) => endpointId === except)) {
    throw refuseReplaced(environment, except);
  }
  const others = all.filter(({ endpointId }) => endpointId !== except);
  if (others.some((one) => one.url === url && one.kinds.join() === kinds.join())) {
    throw invalidField("url", "is registered already");
  }
  const webhooks = others.filter(({ listeningUntil }) => listeningUntil === undefined);
  for (const kind of kinds) {
    const registered = webhooks.filter((endpoint) => endpoint.kinds.includes(kind));
    if (registered.some((endpoint) => endpoint.url === url)) {
      throw invalidField("url", "is registered already");
    }
    if (isOnlyOne(kind) && registered.length > 0) {
      const what = kind === "TRANSACTION" ? "verify transactions" : "be handed receipts";
      throw invalidField("kind", `is registered already: only one webhook can ${what}`);
    }
    if (registered.length >= MAX_ENDPOINTS) {
      throw invalidField("kind", `has ${MAX_ENDPOINTS} webhooks already`);
    }
  }
}

export function refuseReplaced(environment: Environment, endpointId: string): Problem {
  return invalidField("replaces", `names no webhook of ${environment}: ${endpointId}`);
}

/** @returns undefined if the target remains */
export function readTargetChange(
  { url, ...input }: WebhookChange,
  before: Pick<Endpoint, "allowPrivate">,
): Target | undefined {
  const { allowPrivate: wasAllowed } = before;
  if (url !== undefined) return toTarget({ allowPrivate: wasAllowed, ...input, url });
  const { headerName, headerValue, allowPrivate } = input;
  const needsUrl = headerName ?? headerValue ?? allowPrivate;
  if (needsUrl !== undefined) {
    throw invalidField("url", "is required with a header or allowPrivate");
  }
  return undefined;
}
