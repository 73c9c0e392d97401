import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import { listUpstreams, type ProviderRef, type StoredUpstream } from "./upstream-store.ts";

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
