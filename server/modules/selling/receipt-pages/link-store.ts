import { createHash, createHmac } from "node:crypto";
import type { Selectable } from "kysely";
import type { SENDING_FAULTS } from "../../../contract/pos/receipt-pages.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { findInScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { FileSealer } from "../../../lib/sealer.ts";

interface LinkRef extends Scope {
  linkId: string;
}

export interface NewLink extends LinkRef {
  /** SHA-256 of the link's token. The token itself is not stored. */
  tokenHash: string;
  saleId: string;
  staffId: string;
  language: Language;
  createdAt: number;
  expiresAt: number;
}

/** All times are instants in milliseconds. */
export interface StoredLink extends NewLink {
  revokedAt: number | undefined;
  views: number;
  detailsShown: number;
}

export async function addLink(tx: Tx, link: NewLink): Promise<void> {
  await tx
    .insertInto("receipt_links")
    .values({
      account_id: link.accountId,
      environment: link.environment,
      link_id: link.linkId,
      token_hash: link.tokenHash,
      sale_id: link.saleId,
      staff_id: link.staffId,
      language: link.language,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    })
    .execute();
}

export async function findLink(db: Db | Tx, ref: LinkRef): Promise<StoredLink | undefined> {
  const row = await findInScope(db, "receipt_links", ref, { link_id: ref.linkId });
  return row && toLink(row);
}

/** Finds a link in any account. All other functions require the account. */
export async function findLinkByHash(
  db: Db | Tx,
  tokenHash: string,
): Promise<StoredLink | undefined> {
  const row = await db
    .selectFrom("receipt_links")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return row && toLink(row);
}

export async function listOpenLinks(
  db: Db | Tx,
  scope: Scope,
  saleId: string,
  now: number,
): Promise<StoredLink[]> {
  const rows = await db
    .selectFrom("receipt_links")
    .selectAll()
    .where(inScope(scope))
    .where("sale_id", "=", saleId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map(toLink);
}

export async function listEndedLinks(
  db: Db | Tx,
  scope: Scope,
  { saleId, now, limit }: { saleId: string; now: number; limit: number },
): Promise<StoredLink[]> {
  const rows = await db
    .selectFrom("receipt_links")
    .selectAll()
    .where(inScope(scope))
    .where("sale_id", "=", saleId)
    .where((eb) => eb.or([eb("revoked_at", "is not", null), eb("expires_at", "<=", now)]))
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(toLink);
}

/** @returns false if the link was not open */
export async function revokeLink(
  tx: Tx,
  ref: LinkRef & { saleId: string },
  by: { staffId: string; at: number },
): Promise<boolean> {
  const result = await tx
    .updateTable("receipt_links")
    .set({ revoked_at: by.at, revoked_by: by.staffId })
    .where(inScope(ref))
    .where("link_id", "=", ref.linkId)
    .where("sale_id", "=", ref.saleId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function noteView(tx: Tx, ref: LinkRef, at: number): Promise<void> {
  await tx
    .updateTable("receipt_links")
    .set((eb) => ({
      views: eb("views", "+", 1),
      first_viewed_at: eb.fn.coalesce("first_viewed_at", eb.val(at)),
      last_viewed_at: at,
    }))
    .where(inScope(ref))
    .where("link_id", "=", ref.linkId)
    .execute();
}

export async function noteDetailsShown(tx: Tx, ref: LinkRef): Promise<void> {
  await tx
    .updateTable("receipt_links")
    .set((eb) => ({ details_shown: eb("details_shown", "+", 1) }))
    .where(inScope(ref))
    .where("link_id", "=", ref.linkId)
    .execute();
}

function toLink(row: Selectable<Tables["receipt_links"]>): StoredLink {
  return {
    accountId: row.account_id,
    environment: row.environment,
    linkId: row.link_id,
    tokenHash: row.token_hash,
    saleId: row.sale_id,
    staffId: row.staff_id,
    language: row.language,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
    views: row.views,
    detailsShown: row.details_shown,
  };
}

const PURPOSE = "the links of receipts";
/** 192 bits are 32 letters, which fit a small QR code. */
const TOKEN_BYTES = 24;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/**
 * Derives a token from the key file, so that the token can be shown and sent again although the
 * database stores only its hash.
 * @throws SealError if the key cannot be used
 */
export function deriveToken(
  keyFile: Pick<FileSealer, "derive">,
  { accountId, environment, linkId }: LinkRef,
): string {
  const key = keyFile.derive(PURPOSE, { create: true });
  if (!key) throw new Error("the key file has no key");
  const text = JSON.stringify([accountId, environment, linkId]);
  const digest = createHmac("sha256", key.bytes).update(text).digest();
  return digest.subarray(0, TOKEN_BYTES).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

interface SendableLinkDeps {
  clock: Clock;
  keyFile: Pick<FileSealer, "derive">;
}

export function isOpen({ revokedAt, expiresAt }: StoredLink, now: number): boolean {
  return revokedAt === undefined && now < expiresAt;
}

/**
 * Returns the token, or the reason why there is no token, for example a different key file.
 * @throws SealError if the key cannot be used
 */
export function readToken(
  link: StoredLink | undefined,
  { clock, keyFile }: SendableLinkDeps,
): { token: string } | { fault: keyof typeof SENDING_FAULTS } {
  if (!link || !isOpen(link, clock.now())) return { fault: "LINK_OVER" };
  const token = deriveToken(keyFile, link);
  return hashToken(token) === link.tokenHash ? { token } : { fault: "OTHER_KEY" };
}
