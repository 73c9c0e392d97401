import {
  type ConnectionReason,
  PROVIDER_KIND_FACTS,
  type ProviderKindName,
} from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Clock } from "../../../lib/clock.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import { SealError } from "../../../lib/sealer.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import type { ProviderKind } from "../../../providers/kind.ts";
import type { Provider } from "../../../providers/provider.ts";
import {
  type ProviderConnection,
  ProviderLimited,
  ProviderRefusal,
  ProviderUnreached,
} from "../../../providers/provider-call.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import {
  countUnfinished,
  findPurchases,
  listDelivered,
  listInDoubt,
  orderOf,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import { listUnderRefund } from "../../purchases/refunds/index.ts";
import {
  findUpstream,
  listUpstreams,
  type ProviderRef,
  type StoredUpstream,
} from "./upstream-store.ts";

/** Matches visible ASCII characters, which HTTP headers allow. */
const KEY = /^[\x21-\x7e]{8,512}$/;

/** A connection as the owner types it. */
export interface TypedConnection extends ProviderConnection {
  /** Undefined for a gateway. */
  kind?: ProviderKindName | undefined;
}

export interface StoredConnection extends ProviderConnection {
  providerId: string;
  kind: ProviderKind;
  /** Changes with every connection, even with the same key. */
  keySealed: string;
}

/**
 * Refuses another provider while purchases or refunds are unfinished: the new provider would receive
 * purchases of the old provider's offers, some of which the old provider already received, and would
 * refuse refunds of purchases that it never sold.
 * @throws Problem INVALID_REQUEST naming `baseUrl`
 */
export async function checkUnfinished(
  db: Db | Tx,
  ref: ProviderRef,
  { kind, baseUrl }: Pick<StoredUpstream, "kind" | "baseUrl">,
): Promise<void> {
  const before = await findUpstream(db, ref);
  if (!before || (before.baseUrl === baseUrl && before.kind === kind)) return;
  const count = await countUnfinished(db, ref);
  const refunds = (await listUnderRefund(db, ref)).length;
  if (count + refunds === 0) return;
  const words = [
    ...(count > 0 ? [`${count} purchases`] : []),
    ...(refunds > 0 ? [`${refunds} refunds`] : []),
  ];
  throw new Problem(
    "INVALID_REQUEST",
    `${words.join(" and ")} are still under way at ${before.baseUrl}. Connect another gateway when they are finished: within 24 hours.`,
    {
      baseUrl: `must stay ${before.baseUrl} until they are finished`,
      ...toReason("UNFINISHED", { address: before.baseUrl }),
    },
  );
}

/**
 * Refuses the response of a gateway that is no longer connected.
 * @throws Problem SYSTEM_UNAVAILABLE
 */
export async function requireConnected(
  tx: Tx,
  scope: Scope,
  { providerId, keySealed }: StoredConnection,
): Promise<void> {
  const ref = { accountId: scope.accountId, environment: scope.environment, providerId };
  if ((await findUpstream(tx, ref))?.keySealed === keySealed) return;
  throw new Problem("SYSTEM_UNAVAILABLE", "The gateway was connected anew meanwhile.");
}

export function notConnected(): Problem {
  return new Problem("NOT_FOUND", "No gateway is connected to the live environment.");
}

export function checkConnection(
  scope: Scope,
  kinds: Readonly<Record<ProviderKindName, ProviderKind>>,
  { kind = "gateway", baseUrl, key, clientId, allowPrivate }: TypedConnection,
): ProviderConnection & { kind: ProviderKindName } {
  if (scope.environment !== "live") {
    throw new Problem(
      "INVALID_REQUEST",
      "A gateway is connected to the live environment; the test environment has its simulator.",
      { environment: "must be live" },
    );
  }
  const tidied = kinds[kind].tidyUrl(baseUrl.trim().replace(/\/+$/, ""));
  const fault = whyNotUrl(tidied) ?? (tidied.includes("?") ? "must not have a query" : undefined);
  if (fault) throw new Problem("INVALID_REQUEST", `The URL ${fault}.`, { baseUrl: fault });
  if (tidied.startsWith("http:") && !allowPrivate) {
    const rule = "must begin with https://, unless it is in your own network and you allow that";
    throw new Problem("INVALID_REQUEST", `The URL ${rule}.`, { baseUrl: rule });
  }
  if (!KEY.test(key)) {
    const rule = "must be 8 to 512 characters without spaces";
    throw new Problem("INVALID_REQUEST", `The key ${rule}.`, { key: rule });
  }
  const { needsClientId } = PROVIDER_KIND_FACTS[kind];
  if (needsClientId ? !KEY.test(clientId ?? "") : clientId !== undefined) {
    const rule = needsClientId
      ? "must be 8 to 512 characters without spaces"
      : "must be left out: this kind of provider has a key only";
    throw new Problem("INVALID_REQUEST", `The client id ${rule}.`, { clientId: rule });
  }
  const credentials = clientId === undefined ? { key } : { key, clientId };
  return { kind, baseUrl: tidied, allowPrivate, ...credentials };
}

/** Joins the credentials to the text that is encrypted. Neither contains a line break. */
export function joinCredentials({ key, clientId }: ProviderConnection): string {
  return clientId === undefined ? key : `${clientId}\n${key}`;
}

/** @throws SealError if the credentials belong to another kind of provider */
export function splitCredentials(
  text: string,
  kind: ProviderKindName,
): Pick<ProviderConnection, "key" | "clientId"> {
  const [first = "", second] = text.split("\n");
  if (PROVIDER_KIND_FACTS[kind].needsClientId !== (second !== undefined)) {
    throw new SealError("The stored credentials belong to another kind of provider.");
  }
  return second === undefined ? { key: first } : { clientId: first, key: second };
}

export function toProblem(baseUrl: string, error: unknown): Problem {
  if (error instanceof ProviderRefusal) {
    const field = error.errorCode === "NOT_FOUND" ? "baseUrl" : "key";
    return new Problem("INVALID_REQUEST", `${baseUrl} refuses: ${error.message}`, {
      [field]: "is refused",
      ...toReason(field === "key" ? "REFUSED" : "UNCLEAR"),
    });
  }
  if (!(error instanceof Error)) throw error;
  const message = `${baseUrl} cannot be used: ${error.message}`;
  return new Problem("SYSTEM_UNAVAILABLE", message, toReason(findReason(error)));
}

function findReason(error: Error): ConnectionReason {
  if (error instanceof ProviderLimited) return "BUSY";
  return error instanceof ProviderUnreached ? "UNREACHED" : "UNCLEAR";
}

/** Returns the fields from which the till words the refusal of a connection. */
export function toReason(reason: ConnectionReason, values: Record<string, string> = {}) {
  return { reason, ...values };
}

/** Maximum number of purchases of each kind that a provider is queried for. */
const QUERIED = 3;

/** Answers that only the account of the purchase gets. */
const KNOWN = ["fulfilled", "rejected", "working", "recoverable"];

/** Lists purchases that the provider's account must know: in doubt, or with an open refund. */
export async function listOpenAtProvider(db: Db | Tx, scope: ProviderRef): Promise<string[]> {
  return [...(await listInDoubt(db, scope, QUERIED)), ...(await listUnderRefund(db, scope))];
}

/**
 * Refuses other credentials of the connected provider if they may belong to another account while
 * outcomes are open: that account never received the purchases, so they would be submitted and
 * delivered again. The account is recognised by a purchase that it knows.
 * @param provider the provider with the new credentials
 * @throws Problem INVALID_REQUEST naming `key`
 */
export async function requireSameAccount(
  { db, clock }: { db: Db; clock: Clock },
  scope: ProviderRef,
  provider: Provider,
): Promise<void> {
  const open = await listOpenAtProvider(db, scope);
  if (open.length === 0) return;
  const delivered = await listDelivered(db, scope, QUERIED);
  const purchases = await findPurchases(db, scope, [...delivered, ...open.slice(0, 2 * QUERIED)]);
  for (const purchase of purchases) {
    if (await isKnown(clock, provider, purchase)) return;
  }
  throw new Problem(
    "INVALID_REQUEST",
    `${open.length} purchases or refunds are still under way, and the account of these credentials does not know them. Connect another account when they are finished: within 24 hours.`,
    { key: "must belong to the same account until they are finished", ...toReason("ACCOUNT") },
  );
}

async function isKnown(
  clock: Clock,
  provider: Provider,
  purchase: StoredPurchase,
): Promise<boolean> {
  try {
    const answer = await askInTime(clock, (signal) => provider.inquire(orderOf(purchase), signal));
    return KNOWN.includes(answer.kind);
  } catch {
    return false;
  }
}

/** Maximum number of providers of a shop, also of disconnected ones. */
const MAX_PROVIDERS = 20;

/** @throws Problem INVALID_REQUEST naming `name` */
export function checkName(typed: string): string {
  const name = typed.trim();
  if (name !== "" && name.length <= 60) return name;
  const rule = "must have 1 to 60 characters";
  throw new Problem("INVALID_REQUEST", `The name ${rule}.`, { name: rule });
}

/** @throws Problem INVALID_REQUEST naming `name` */
export function requireFreeName(
  all: readonly StoredUpstream[],
  name: string,
  own: string | undefined,
): void {
  const isTaken = all.some(
    (one) => one.providerId !== own && one.name.toLowerCase() === name.trim().toLowerCase(),
  );
  if (!isTaken) return;
  throw new Problem("INVALID_REQUEST", `Another provider has the name ${name}.`, {
    name: "is taken",
  });
}

/**
 * Returns the id under which a connection is stored.
 * @throws Problem INVALID_REQUEST for a used name, or too many providers; NOT_FOUND
 */
export async function findPlace(
  db: Db | Tx,
  author: Scope,
  input: { newName?: string | undefined; providerId?: string | undefined },
): Promise<ProviderRef> {
  const { accountId, environment } = author;
  const all = await listUpstreams(db, author);
  const { newName, providerId = FIRST_PROVIDER } = input;
  if (newName === undefined) {
    const isKnown = all.some((one) => one.providerId === providerId);
    if (isKnown || input.providerId === undefined) return { accountId, environment, providerId };
    throw new Problem("NOT_FOUND", `There is no provider ${providerId}.`);
  }
  requireFreeName(all, newName, undefined);
  if (all.length >= MAX_PROVIDERS) {
    const message = `A shop has at most ${MAX_PROVIDERS} providers. Connect one of them again.`;
    throw new Problem("INVALID_REQUEST", message, { name: "is one too many" });
  }
  const isFirst = all.length === 0;
  return {
    accountId,
    environment,
    providerId: isFirst ? FIRST_PROVIDER : `p${all.length + 1}`,
  };
}
