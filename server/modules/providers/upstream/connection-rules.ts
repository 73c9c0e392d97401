import { PROVIDER_KIND_FACTS, type ProviderKindName } from "../../../contract/pos/upstream.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import { SealError } from "../../../lib/sealer.ts";
import type { ProviderKind } from "../../../providers/kind.ts";
import { type ProviderConnection, ProviderRefusal } from "../../../providers/provider-call.ts";
import { countSubmitted } from "../../purchases/purchases/index.ts";
import { listUnderRefund } from "../../purchases/refunds/index.ts";
import { findUpstream, type ProviderRef, type StoredUpstream } from "./upstream-store.ts";

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
 * purchases that the old provider already received, and would refuse refunds of purchases that it
 * never sold.
 * @throws Problem INVALID_REQUEST naming `baseUrl`
 */
export async function checkUnfinished(
  db: Db | Tx,
  ref: ProviderRef,
  { kind, baseUrl }: Pick<StoredUpstream, "kind" | "baseUrl">,
): Promise<void> {
  const before = await findUpstream(db, ref);
  if (!before || (before.baseUrl === baseUrl && before.kind === kind)) return;
  const count = await countSubmitted(db, ref);
  const refunds = (await listUnderRefund(db, ref)).length;
  if (count + refunds === 0) return;
  const words = [
    ...(count > 0 ? [`${count} purchases`] : []),
    ...(refunds > 0 ? [`${refunds} refunds`] : []),
  ];
  throw new Problem(
    "INVALID_REQUEST",
    `${words.join(" and ")} are still under way at ${before.baseUrl}. Connect another gateway when they are finished: within 24 hours.`,
    { baseUrl: `must stay ${before.baseUrl} until they are finished` },
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
    });
  }
  if (!(error instanceof Error)) throw error;
  return new Problem("SYSTEM_UNAVAILABLE", `${baseUrl} cannot be used: ${error.message}`);
}
