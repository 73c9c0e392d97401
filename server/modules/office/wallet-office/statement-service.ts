import { type RawBuilder, sql } from "kysely";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type {
  PostingKind,
  Statement,
  StatementEntry,
  StatementFileQuery,
  StatementQuery,
} from "../../../contract/pos/wallet-office.ts";
import { Problem } from "../../../contract/problem.ts";
import type { ProductType } from "../../../contract/v1/transactions.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { type Column, formatCsv, readPeriod } from "../figures/index.ts";

/** Rare kinds of postings, each with its own partial index. */
const RARE: readonly PostingKind[] = ["RECHARGE", "RELEASE", "REFUND"];

interface StatementServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  shop: ShopService;
}

const ROWS_AT_ONCE = 500;

/** The wallet statement (rules#wallet-statement). */
export class StatementService {
  readonly #deps: StatementServiceDeps;

  constructor(deps: StatementServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async list({ accountId, environment }: Scope, query: StatementQuery): Promise<Statement> {
    const { kind, limit } = query;
    const span = await this.#readSpan(accountId, query);
    const page = { kind, ...span, after: readPlace(query.before), limit };
    const rows = await listPostings(this.#deps.db, { accountId, environment }, page);
    const last = rows.at(-1);
    return {
      environment,
      ...(await getWalletUnit(this.#deps.db, accountId)),
      list: rows.map(viewPosting),
      ...(last && rows.length === limit && { next: `${last.posted_at}-${last.posting_id}` }),
    };
  }

  /**
   * Exports the postings of days as CSV (rules#figure-csv), and records the export
   * (rules#figure-export-recorded).
   * @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field, before anything is read or
   * recorded
   */
  async export(
    { accountId, environment, staffId }: ScopedAuthor,
    query: StatementFileQuery,
  ): Promise<AsyncGenerator<string>> {
    const { db, transactor, clock } = this.#deps;
    const span = await this.#readSpan(accountId, query);
    const unit = await getWalletUnit(db, accountId);
    const { firstDay, lastDay } = query;
    const detail = { rows: "STATEMENT", firstDay, lastDay, environment };
    await transactor.transact(accountId, (tx) =>
      recordAudit(tx, {
        accountId,
        staffId,
        action: "figures.export",
        subject: environment,
        detail,
        at: clock.now(),
      }),
    );
    const pages = readAll((place) =>
      listPostings(db, { accountId, environment }, { kind: query.kind, ...span, ...place }),
    );
    return formatCsv(pages, columnsIn(unit));
  }

  async #readSpan(
    accountId: string,
    { firstDay, lastDay }: Partial<Pick<StatementFileQuery, "firstDay" | "lastDay">>,
  ): Promise<Pick<StatementPage, "from" | "until">> {
    const shop = await this.#deps.shop.get(accountId);
    if (firstDay === undefined && lastDay === undefined) {
      return { from: 0, until: Number.MAX_SAFE_INTEGER };
    }
    if (firstDay !== undefined && lastDay !== undefined) {
      return readPeriod({ firstDay, lastDay }, shop);
    }
    const field = firstDay === undefined ? "firstDay" : "lastDay";
    throw new Problem("INVALID_REQUEST", `${field} is required.`, { [field]: "is required" });
  }
}

async function* readAll(
  read: (place: Pick<StatementPage, "after" | "limit">) => Promise<PostingRow[]>,
): AsyncGenerator<StatementEntry[]> {
  let after: StatementPosition | undefined;
  for (;;) {
    const rows = await read({ after, limit: ROWS_AT_ONCE });
    yield rows.map(viewPosting);
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** @throws Problem INVALID_REQUEST */
function readPlace(before: string | undefined): StatementPosition | undefined {
  if (before === undefined) return undefined;
  const { at, id } = /^(?<at>\d{1,15})-(?<id>\d{1,15})$/.exec(before)?.groups ?? {};
  if (at === undefined || id === undefined) {
    throw new Problem("INVALID_REQUEST", "before is not the next of a page.", {
      before: "must be `next` of the page before",
    });
  }
  return { posted_at: Number(at), posting_id: Number(id) };
}

function viewPosting(row: PostingRow): StatementEntry {
  return {
    entryId: row.posting_id,
    at: toTimestamp(row.posted_at),
    kind: row.kind,
    transactionId: row.transaction_id,
    productType: row.product_type,
    ...toMovement("available", row.available_change, row.available_balance),
    ...toMovement("held", row.held_change, row.held_balance),
    ...(row.brand_name !== null && { brandName: row.brand_name }),
    ...(row.sale_number !== null && { saleNumber: row.sale_number }),
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.reason !== null && { reversalReason: row.reason }),
    ...(row.reversed_by !== null && { reversedBy: row.reversed_by }),
  };
}

function toMovement(name: "available" | "held", change: number | null, balance: number | null) {
  return change === null || balance === null ? {} : { [name]: { change, balance } };
}

function columnsIn({ currency, currencyDivisor }: Unit): Column<StatementEntry>[] {
  const amount = (minor: number | undefined) =>
    minor === undefined ? "" : majorText(minor, currencyDivisor);
  return [
    ["at", (row) => row.at],
    ["entryId", (row) => String(row.entryId)],
    ["kind", (row) => row.kind],
    ["productType", (row) => row.productType],
    ["transactionId", (row) => row.transactionId],
    ["saleNumber", (row) => String(row.saleNumber ?? "")],
    ["brand", (row) => row.brandName ?? ""],
    ["reference", (row) => row.reference ?? row.reversalReason ?? ""],
    ["available", (row) => amount(row.available?.change)],
    ["availableAfter", (row) => amount(row.available?.balance)],
    ["held", (row) => amount(row.held?.change)],
    ["heldAfter", (row) => amount(row.held?.balance)],
    ["currency", () => currency],
  ];
}

/** If a posting does not change a wallet account, the fields of that account are null. */
interface PostingRow {
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

type StatementPosition = Pick<PostingRow, "posted_at" | "posting_id">;

interface StatementPage {
  kind: PostingKind | undefined;
  from: number;
  until: number;
  /** The last row of the previous page. */
  after: StatementPosition | undefined;
  limit: number;
}

/**
 * Returns a page, newest first. Starts at a position in an index, so the cost does not depend on
 * the page number (rules#wallet-statement).
 */
export async function listPostings(
  db: Db,
  { accountId, environment }: Scope,
  page: StatementPage,
): Promise<PostingRow[]> {
  const { rows } = await sql<PostingRow>`
    select p.posting_id, p.posted_at, p.kind, p.transaction_id, t.product_type,
      case p.kind when 'HOLD' then -p.amount when 'CAPTURE' then null else p.amount end
        as available_change,
      case p.kind when 'HOLD' then p.from_balance when 'CAPTURE' then null else p.to_balance end
        as available_balance,
      case p.kind when 'HOLD' then p.amount when 'CAPTURE' then -p.amount
        when 'RELEASE' then -p.amount end as held_change,
      case p.kind when 'HOLD' then p.to_balance when 'CAPTURE' then p.from_balance
        when 'RELEASE' then p.from_balance end as held_balance,
      b.brand_name, s.sale_number, r.reference, r.reason, w.transaction_id as reversed_by
    from ledger_postings p ${indexFor(page.kind)}
    ${joinInOrder} transactions t on t.account_id = p.account_id and t.environment = p.environment
      and t.transaction_id = p.transaction_id
    left join purchases b on b.account_id = p.account_id and b.environment = p.environment
      and b.transaction_id = p.transaction_id
    left join sale_lines l on l.account_id = p.account_id and l.environment = p.environment
      and l.transaction_id = p.transaction_id
    left join sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id
    left join recharges r on r.account_id = p.account_id
      and r.environment = p.environment and r.transaction_id = p.transaction_id
    left join recharges w on w.account_id = p.account_id
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

/** The partial indexes of rare kinds require a literal instead of a parameter. */
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
