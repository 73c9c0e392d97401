import { type RawBuilder, sql } from "kysely";
import type { TransactionStatus } from "../../../contract/common.ts";
import type { Family } from "../../../contract/pos/families.ts";
import type {
  OfficeStatus,
  OfficeTransaction,
  OfficeTransactions,
  OfficeTransactionsQuery,
} from "../../../contract/pos/transaction-office.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, inserted, isJson, joinInOrder, jsonField } from "../../../db/engine-words.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { formatPhoneNumber, type PhoneService } from "../../catalog/phone-lookup/index.ts";
import { findEsim } from "../../purchases/esims/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { readPeriod } from "../figures/index.ts";

export interface TransactionRow {
  transaction_id: string;
  product_type: Family;
  status: TransactionStatus;
  created_at: number;
  finished_at: number | null;
  needs_reconciliation: number;
  is_canceled: number;
  brand_name: string;
  title: string;
  country: string;
  recipient: string;
  key_id: string | null;
  key_name: string | null;
  sale_id: string | null;
  sale_number: number | null;
  clerk: string | null;
  amount: number | null;
  currency: string | null;
  currency_divisor: number | null;
}

type RowPosition = Pick<TransactionRow, "created_at" | "transaction_id">;

interface TransactionsPage {
  status: OfficeStatus | undefined;
  from: number;
  until: number;
  after: RowPosition | undefined;
  limit: number;
}

function selectRows(index: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select t.transaction_id, t.product_type, t.status, t.created_at, t.finished_at,
      t.needs_reconciliation, case when t.product_type = 'ESIM' and exists (
        select 1 from refunds r join transactions b on b.account_id = r.account_id
          and b.environment = r.environment and b.transaction_id = r.transaction_id
        where r.account_id = t.account_id and r.environment = t.environment
          and r.refunded_transaction_id = t.transaction_id and b.status = 'DONE')
      then 1 else 0 end as is_canceled, p.brand_name, ${jsonField("v.offer_json", "shortNotes")} as title,
      p.country, p.recipient, p.key_id, k.name as key_name, s.sale_id, s.sale_number, c.name as clerk,
      l.price - l.discount as amount, s.currency, s.currency_divisor
    from transactions t ${index}
    ${joinInOrder} purchases p on p.account_id = t.account_id and p.environment = t.environment
      and p.transaction_id = t.transaction_id
    ${joinInOrder} offer_versions v on v.account_id = p.account_id and v.environment = p.environment
      and v.digest = p.offer_version
    left join sale_lines l on l.account_id = t.account_id and l.environment = t.environment
      and l.transaction_id = t.transaction_id
    left join sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id
    left join staff c on c.account_id = s.account_id and c.staff_id = s.staff_id
    left join api_keys k on k.account_id = p.account_id and k.environment = p.environment
      and k.key_id = p.key_id`;
}

/** Returns a page of transactions, except training sales, from a position in an index. */
export async function listRows(
  db: Db,
  { accountId, environment }: Scope,
  page: TransactionsPage,
): Promise<TransactionRow[]> {
  const { status, from, until, limit } = page;
  const isOpen = status === "UNFINISHED";
  const order = isOpen
    ? sql`t.created_at, t.transaction_id`
    : sql`t.created_at desc, t.transaction_id`;
  const { rows } = await sql<TransactionRow>`${selectRows(indexFor(status))}
    where t.account_id = ${accountId} and t.environment = ${environment} and t.training = 0
      and ${isOfStatus(status)} and t.created_at >= ${from} and t.created_at < ${until}
      and ${isAfter(page)}
    order by ${order} limit ${limit}`.execute(db);
  return rows;
}

function indexFor(status: OfficeStatus | undefined): RawBuilder<unknown> {
  if (status === undefined) return indexedBy("transactions_newest");
  return status === "UNFINISHED"
    ? indexedBy("transactions_unfinished")
    : indexedBy("transactions_by_status");
}

function isOfStatus(status: OfficeStatus | undefined): RawBuilder<unknown> {
  if (status === undefined) return sql`true`;
  return status === "UNFINISHED" ? sql`t.finished_at is null` : sql`t.status = ${status}`;
}

function isAfter({ after, status }: TransactionsPage): RawBuilder<unknown> {
  if (!after) return sql`true`;
  const { created_at: at, transaction_id: id } = after;
  return status === "UNFINISHED"
    ? sql`(t.created_at, t.transaction_id) > (${at}, ${id})`
    : sql`t.created_at <= ${at} and (t.created_at < ${at} or t.transaction_id > ${id})`;
}

/** Returns purchases, except training sales, newest first. */
export async function findRows(
  db: Db,
  { accountId, environment }: Scope,
  ids: readonly string[],
): Promise<TransactionRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<TransactionRow>`${selectRows(sql``)}
    where t.account_id = ${accountId} and t.environment = ${environment}
      and t.transaction_id in (${sql.join(ids)}) and t.training = 0`.execute(db);
  return rows.sort(
    (a, b) => b.created_at - a.created_at || (a.transaction_id < b.transaction_id ? -1 : 1),
  );
}

export function viewRow(row: TransactionRow): OfficeTransaction {
  const { sale_id, sale_number, clerk, amount, currency, currency_divisor } = row;
  const isSold = sale_id !== null && sale_number !== null && amount !== null && currency !== null;
  return {
    transactionId: row.transaction_id,
    family: row.product_type,
    status: row.status,
    createdAt: toTimestamp(row.created_at),
    ...(row.finished_at !== null && { finishedAt: toTimestamp(row.finished_at) }),
    brandName: row.brand_name,
    title: row.title,
    country: row.country,
    recipient: formatPhoneNumber(row.recipient),
    needsDecision: row.needs_reconciliation === 1,
    canceled: row.is_canceled === 1,
    ...(row.key_id !== null && { key: { keyId: row.key_id, name: row.key_name ?? "" } }),
    ...(isSold && {
      sale: {
        saleId: sale_id,
        saleNumber: sale_number,
        clerk: clerk ?? "",
        amount,
        currency,
        currencyDivisor: currency_divisor ?? 1,
      },
    }),
  };
}

interface TransactionFinderDeps {
  db: Db;
  phones: PhoneService;
  shop: ShopService;
}

/** Maximum number of purchases per recipient. */
const DEPTH = 50;
/**
 * Numbers with more digits are no sale numbers. Numbers with less than MIN_PHONE_DIGITS are no
 * phone numbers.
 */
const MAX_SALE_NUMBER_DIGITS = 12;
const MIN_PHONE_DIGITS = 6;

/** Finds purchases by any identifier (rules#sale-found-in-the-office). */
export class TransactionFinder {
  readonly #deps: TransactionFinderDeps;

  constructor(deps: TransactionFinderDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async list(reader: Scope, query: OfficeTransactionsQuery): Promise<OfficeTransactions> {
    const { accountId, environment } = reader;
    const scope = { accountId, environment };
    const { status, limit, typed = "" } = query;
    const span = await this.#readSpan(accountId, query);
    const page = { status, ...span, after: readPlace(query.before), limit };
    if (typed.trim() !== "") {
      const found = await findRows(this.#deps.db, scope, await this.#findIds(scope, typed.trim()));
      const list = found.filter((row) => fits(row, page)).slice(0, limit);
      return { environment, list: list.map(viewRow) };
    }
    const rows = await listRows(this.#deps.db, scope, page);
    const last = rows.at(-1);
    const next = last && `${last.created_at}-${last.transaction_id}`;
    return {
      environment,
      list: rows.map(viewRow),
      ...(next !== undefined && rows.length === limit && { next }),
    };
  }

  async #readSpan(
    accountId: string,
    { firstDay, lastDay }: OfficeTransactionsQuery,
  ): Promise<Pick<TransactionsPage, "from" | "until">> {
    const shop = await this.#deps.shop.get(accountId);
    const [first, last] = [firstDay ?? lastDay, lastDay ?? firstDay];
    if (first === undefined || last === undefined) {
      return { from: 0, until: Number.MAX_SAFE_INTEGER };
    }
    return readPeriod({ firstDay: first, lastDay: last }, shop);
  }

  /** Finds ids with an index query for each kind of identifier. */
  async #findIds(scope: Scope, typed: string): Promise<string[]> {
    const { db, phones, shop } = this.#deps;
    const { country } = await shop.get(scope.accountId);
    const isDigits = /^\+?[0-9 ().-]+$/.test(typed);
    const digits = isDigits ? typed.replace(/\D/g, "") : "";
    const ids = new Set([typed, ...(await findIdsOfSale(db, scope, { saleId: typed }))]);
    for (const id of await findIdsByProvider(db, scope, typed)) ids.add(id);
    const recipients = new Set([typed]);
    if (digits !== "" && digits.length <= MAX_SALE_NUMBER_DIGITS) {
      for (const id of await findIdsOfSale(db, scope, { saleNumber: Number(digits) })) ids.add(id);
    }
    if (digits.length >= MIN_PHONE_DIGITS) {
      const { international, local } = phones.read(typed, country, scope.environment);
      recipients.add(international.number).add(digits);
      if (local) recipients.add(local.number);
      const esim = await findEsim(db, scope, digits);
      if (esim) ids.add(esim.transactionId);
    }
    for (const recipient of recipients) {
      for (const id of await findIdsForRecipient(db, scope, recipient)) ids.add(id);
    }
    return [...ids];
  }
}

function fits(row: TransactionRow, { status, from, until }: TransactionsPage): boolean {
  if (row.created_at < from || row.created_at >= until) return false;
  if (status === undefined) return true;
  return status === "UNFINISHED" ? row.finished_at === null : row.status === status;
}

/** @throws Problem INVALID_REQUEST */
function readPlace(before: string | undefined): RowPosition | undefined {
  if (before === undefined) return undefined;
  const { at, id } = /^(?<at>\d{1,15})-(?<id>.+)$/.exec(before)?.groups ?? {};
  if (at === undefined || id === undefined) {
    throw new Problem("INVALID_REQUEST", "before is not the next of a page.", {
      before: "must be `next` of the page before",
    });
  }
  return { created_at: Number(at), transaction_id: id };
}

async function findIdsOfSale(
  db: Db,
  scope: Scope,
  sale: { saleId: string } | { saleNumber: number },
): Promise<string[]> {
  const ofNumber = db.selectFrom("sales").select("sale_id").where(inScope(scope));
  const found =
    "saleId" in sale
      ? { sale_id: sale.saleId }
      : await ofNumber.where("sale_number", "=", sale.saleNumber).executeTakeFirst();
  if (!found) return [];
  const rows = await db
    .selectFrom("sale_lines")
    .select("transaction_id")
    .where(inScope(scope))
    .where("sale_id", "=", found.sale_id)
    .execute();
  return rows.map((row) => row.transaction_id);
}

async function findIdsForRecipient(db: Db, scope: Scope, recipient: string): Promise<string[]> {
  const rows = await db
    .selectFrom("purchases")
    .select("transaction_id")
    .where(inScope(scope))
    .where("recipient", "=", recipient)
    // The partial index requires this condition.
    .where(sql<boolean>`recipient <> ''`)
    .orderBy(inserted, "desc")
    .limit(DEPTH)
    .execute();
  return rows.map((row) => row.transaction_id);
}

async function findIdsByProvider(
  db: Db,
  { accountId, environment }: Scope,
  number: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ["confirmationNumber", "externalReferenceId"]) {
    const { rows } = await sql<{ transaction_id: string }>`
      select transaction_id from purchases
      where account_id = ${accountId} and environment = ${environment}
        and ${jsonField("fulfilment_json", "confirmation", name)} = ${number}
        and ${isJson("fulfilment_json")}
      limit ${DEPTH}`.execute(db);
    ids.push(...rows.map((row) => row.transaction_id));
  }
  return ids;
}
