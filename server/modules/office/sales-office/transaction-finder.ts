import { sql } from "kysely";
import type {
  OfficeTransactions,
  OfficeTransactionsQuery,
} from "../../../contract/pos/transaction-office.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { inserted, isJson, jsonField } from "../../../db/engine-words.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import { findEsim } from "../../purchases/esims/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { readPeriod } from "../figures/index.ts";
import {
  findRows,
  listRows,
  type RowPosition,
  type TransactionRow,
  type TransactionsPage,
  viewRow,
} from "./transaction-rows.ts";

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
