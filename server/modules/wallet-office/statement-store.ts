import { type RawBuilder, sql } from "kysely";
import type { PostingKind } from "../../contract/pos/wallet-office.ts";
import type { ProductType } from "../../contract/v1/transactions.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { indexedBy, joinInOrder } from "../../db/engine-words.ts";

/** A posting of the ledger; amounts are null on an account that it left alone. */
export interface PostingRow {
  posting_id: number;
  posted_at: number;
  kind: PostingKind;
  transaction_id: string;
  product_type: ProductType;
  available_change: number | null;
  available_balance: number | null;
  held_change: number | null;
  held_balance: number | null;
  brand_name: string | null;
  sale_number: number | null;
  reference: string | null;
  reason: string | null;
  reversed_by: string | null;
}

/** A place in the statement, which has the newest first. */
export type Place = Pick<PostingRow, "posted_at" | "posting_id">;

export interface StatementPage {
  kind: PostingKind | undefined;
  from: number;
  until: number;
  /** The last row of the page before. */
  after: Place | undefined;
  limit: number;
}

/** Kinds that are few beside the others have an index of their own. */
const RARE: readonly PostingKind[] = ["RECHARGE", "RELEASE", "REFUND"];

/**
 * A page of the wallet's postings, newest first, each with what it changed. A page costs what is on it,
 * wherever it is: it begins at its place in an index (rules#wallet-statement).
 */
export async function listPostings(
  db: Db,
  { accountId, environment }: Scope,
  page: StatementPage,
): Promise<PostingRow[]> {
  const { rows } = await sql<PostingRow>`
    select p.posting_id, p.posted_at, p.kind, p.transaction_id, t.product_type,
      a.amount as available_change, a.balance_after as available_balance,
      h.amount as held_change, h.balance_after as held_balance,
      b.brand_name, s.sale_number, r.reference, v.reason, w.transaction_id as reversed_by
    from ledger_postings p ${indexFor(page.kind)}
    ${joinInOrder} transactions t on t.account_id = p.account_id and t.environment = p.environment
      and t.transaction_id = p.transaction_id
    left join ledger_entries a on a.posting_id = p.posting_id and a.name = 'wallet.available'
    left join ledger_entries h on h.posting_id = p.posting_id and h.name = 'wallet.held'
    left join purchases b on b.account_id = p.account_id and b.environment = p.environment
      and b.transaction_id = p.transaction_id
    left join sale_lines l on l.account_id = p.account_id and l.environment = p.environment
      and l.transaction_id = p.transaction_id
    left join sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id
    left join recharge_references r on r.account_id = p.account_id
      and r.environment = p.environment and r.transaction_id = p.transaction_id
    left join recharge_reversals v on v.account_id = p.account_id
      and v.environment = p.environment and v.transaction_id = p.transaction_id
    left join recharge_reversals w on w.account_id = p.account_id
      and w.environment = p.environment and w.reversed_transaction_id = p.transaction_id
    where p.account_id = ${accountId} and p.environment = ${environment}
      and ${isOfKind(page.kind)} and p.posted_at < ${page.until} and ${isAfter(page)}
      and p.posted_at >= ${page.from}
    order by p.posted_at desc, p.posting_id desc limit ${page.limit}`.execute(db);
  return rows;
}

function indexFor(kind: PostingKind | undefined): RawBuilder<unknown> {
  return kind !== undefined && RARE.includes(kind)
    ? indexedBy("ledger_postings_rare")
    : indexedBy("ledger_postings_by_time");
}

/** Written out, so that the index of the few fits. */
function isOfKind(kind: PostingKind | undefined): RawBuilder<unknown> {
  if (kind === undefined) return sql`true`;
  const isKind = sql`p.kind = ${sql.lit(kind)}`;
  const rare = sql.join(RARE.map((one) => sql.lit(one)));
  return RARE.includes(kind) ? sql`p.kind in (${rare}) and ${isKind}` : isKind;
}

function isAfter({ after }: StatementPage): RawBuilder<unknown> {
  return after
    ? sql`(p.posted_at, p.posting_id) < (${after.posted_at}, ${after.posting_id})`
    : sql`true`;
}
