import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { whyNotUrl } from "../../../lib/guarded-request.ts";
import type { ProviderKind } from "../../../providers/kind.ts";
import { type ProviderConnection, ProviderRefusal } from "../../../providers/provider-call.ts";
import { countSubmitted } from "../../purchases/purchases/index.ts";
import { findUpstream } from "./upstream-store.ts";

/** Matches visible ASCII characters, which HTTP headers allow. */
const KEY = /^[\x21-\x7e]{8,512}$/;

export interface StoredConnection extends ProviderConnection {
  kind: ProviderKind;
  /** Changes with every connection, even with the same key. */
  keySealed: string;
}

/**
 * The provider cannot change while purchases are unfinished: the new provider would receive
 * purchases that the old provider already received.
 */
export async function checkUnfinished(db: Db | Tx, scope: Scope, baseUrl: string): Promise<void> {
  const before = await findUpstream(db, scope);
  if (!before || before.baseUrl === baseUrl) return;
  const count = await countSubmitted(db, scope);
  if (count === 0) return;
  throw new Problem(
    "INVALID_REQUEST",
    `${count} purchases are still under way at ${before.baseUrl}. Connect another gateway when they are finished: within 24 hours.`,
    { baseUrl: `must stay ${before.baseUrl} until they are finished` },
  );
}

/**
 * Discards the response of a gateway that is no longer connected.
 * @throws Problem SYSTEM_UNAVAILABLE
 */
export async function requireConnected(
  tx: Tx,
  scope: Scope,
  { keySealed }: StoredConnection,
): Promise<void> {
  if ((await findUpstream(tx, scope))?.keySealed === keySealed) return;
  throw new Problem("SYSTEM_UNAVAILABLE", "The gateway was connected anew meanwhile.");
}

export function notConnected(): Problem {
  return new Problem("NOT_FOUND", "No gateway is connected to the live environment.");
}

export function checkConnection(
  scope: Scope,
  kind: ProviderKind,
  { baseUrl, key, allowPrivate }: ProviderConnection,
): ProviderConnection {
  if (scope.environment !== "live") {
    throw new Problem(
      "INVALID_REQUEST",
      "A gateway is connected to the live environment; the test environment has its simulator.",
      { environment: "must be live" },
    );
  }
  const tidied = kind.tidyUrl(baseUrl.trim().replace(/\/+$/, ""));
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
  return { baseUrl: tidied, key, allowPrivate };
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
