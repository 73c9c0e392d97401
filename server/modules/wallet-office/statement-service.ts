import type { ScopedAuthor } from "../../contract/pos/actor.ts";
import type {
  Statement,
  StatementEntry,
  StatementFileQuery,
  StatementQuery,
} from "../../contract/pos/wallet-office.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../lib/clock.ts";
import { majorText, type Unit } from "../../lib/money.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { type Column, formatCsv, readPeriod } from "../figures/index.ts";
import type { ShopService } from "../shop/index.ts";
import { getWalletUnit } from "../wallet/index.ts";
import {
  listPostings,
  type Place,
  type PostingRow,
  type StatementPage,
} from "./statement-store.ts";

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  shop: ShopService;
}

/** So many rows of a file are read at once. */
const ROWS_AT_ONCE = 500;

/** Every movement of the wallet with the balance after it (rules#wallet-statement). */
export class StatementService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
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
   * The whole statement of some days as CSV, a page of rows at a time (rules#figure-csv); who took which
   * is recorded (rules#figure-export-recorded).
   * @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field, before anything is read or recorded
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
  let after: Place | undefined;
  for (;;) {
    const rows = await read({ after, limit: ROWS_AT_ONCE });
    yield rows.map(viewPosting);
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** @throws Problem INVALID_REQUEST */
function readPlace(before: string | undefined): Place | undefined {
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
    ...movementOf("available", row.available_change, row.available_balance),
    ...movementOf("held", row.held_change, row.held_balance),
    ...(row.brand_name !== null && { brandName: row.brand_name }),
    ...(row.sale_number !== null && { saleNumber: row.sale_number }),
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.reason !== null && { reversalReason: row.reason }),
    ...(row.reversed_by !== null && { reversedBy: row.reversed_by }),
  };
}

function movementOf(name: "available" | "held", change: number | null, balance: number | null) {
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
