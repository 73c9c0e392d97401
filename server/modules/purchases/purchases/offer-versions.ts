import { OFFER_SCHEMAS, type Offer, type ProductFamily } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import { DamagedRow } from "../../../db/checksums.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readOnceInGroup } from "../../../db/group-memory.ts";
import { toOfferDigest } from "../../../db/offer-digest.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { writeBehind } from "../../../db/write-behind.ts";

/* Offers as they were sold. Many purchases share an offer, so it is stored once, by its digest. */

/** Maximum number of offers in memory, of some kilobytes each. */
const MAX_REMEMBERED = 1_000;

/** Offers by digest, least recently read first. Equal digests mean equal texts in all databases. */
const remembered = new Map<string, Offer>();

interface Version extends Scope {
  digest: string;
  text: string;
}

/**
 * Stores an offer once.
 * @returns the offer's digest
 */
export async function keepOfferVersion(
  tx: Tx,
  { accountId, environment }: Scope,
  offer: Offer,
): Promise<string> {
  const { text, digest } = toVersion(offer);
  const key = `${accountId}/${environment}/${digest}`;
  await readOnceInGroup(tx, "offer_versions", key, () =>
    writeBehind(tx, insertVersion(tx, { accountId, environment, digest, text })),
  );
  return digest;
}

/** Texts and digests of offers in the catalog's cache, which are never changed. */
const versions = new WeakMap<Offer, Pick<Version, "digest" | "text">>();

function toVersion(offer: Offer): Pick<Version, "digest" | "text"> {
  const known = versions.get(offer);
  if (known) return known;
  const text = JSON.stringify(offer);
  const version = { text, digest: toOfferDigest(text) };
  versions.set(offer, version);
  return version;
}

const insertVersion = compileOnce<Version, unknown>((db, param) =>
  db
    .insertInto("offer_versions")
    .values({
      account_id: param("accountId"),
      environment: param("environment"),
      digest: param("digest"),
      offer_json: param("text"),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

interface Sold {
  family: ProductFamily;
  digest: string;
}

/**
 * Returns offers by digest.
 * @throws DamagedRow if a disk error has changed an offer; JsonMisfit
 */
export async function readOfferVersions(
  db: Db | Tx,
  scope: Scope,
  sold: readonly Sold[],
): Promise<ReadonlyMap<string, Offer>> {
  const offers = new Map<string, Offer>();
  const missing = new Map<string, ProductFamily>();
  for (const { digest, family } of sold) {
    const known = remembered.get(digest);
    if (known?.productType === family) offers.set(digest, known);
    else missing.set(digest, family);
  }
  for (const [digest, text] of await readTexts(db, scope, [...missing.keys()])) {
    const family = missing.get(digest);
    if (!family) continue;
    const where = { table: "offer_versions", column: "offer_json", row: digest } as const;
    offers.set(digest, readColumn(OFFER_SCHEMAS[family].offer, text, where));
  }
  for (const [digest, offer] of offers) remember(digest, offer);
  return offers;
}

async function readTexts(
  db: Db | Tx,
  scope: Scope,
  digests: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (digests.length === 0) return new Map();
  const rows = await db
    .selectFrom("offer_versions")
    .select(["digest", "offer_json"])
    .where(inScope(scope))
    .where("digest", "in", digests)
    .execute();
  for (const { digest, offer_json } of rows) {
    if (toOfferDigest(offer_json) !== digest) throw new DamagedRow("offer_versions", digest);
  }
  return new Map(rows.map(({ digest, offer_json }) => [digest, offer_json]));
}

function remember(digest: string, offer: Offer): void {
  remembered.delete(digest);
  remembered.set(digest, offer);
  if (remembered.size <= MAX_REMEMBERED) return;
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}
