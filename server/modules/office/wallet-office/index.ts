import { type RawBuilder, sql } from "kysely";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import {
  type PostingKind,
  type Statement,
  type StatementEntry,
  type StatementFileQuery,
  type StatementQuery,
  WalletAlert,
  type WalletOverview,
} from "../../../contract/pos/wallet-office.ts";
import { invalidField, Problem } from "../../../contract/problem.ts";
import type { ProductType } from "../../../contract/v1/transactions.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import type { App } from "../../../http/app-types.ts";
import { sendCsv } from "../../../http/csv-file.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { majorText, type Unit } from "../../../lib/money.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { getWalletUnit } from "../../books/wallet/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import {
  type Column,
  type FloatForecast,
  type FloatService,
  formatCsv,
  readPeriod,
  requireFiguresReader,
} from "../figures/index.ts";
import type { RechargeService } from "../recharges/index.ts";

/** Rare kinds of postings, each with its own partial index. */
const RARE: readonly PostingKind[] = ["RECHARGE", "RELEASE", "REFUND"];

interface StatementServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
}

const ROWS_AT_ONCE = 500;

/** The wallet statement (rules#wallet-statement). */
class StatementService {
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
    throw invalidField(field, "is required");
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

/** The owner's thresholds; an absent threshold raises no alert. */
const WALLET_ALERT = environmentSetting("wallet_alert", WalletAlert);

type WalletOfficeDeps = Base & {
  floats: FloatService;
  recharges: RechargeService;
  shop: ShopService;
};

export class WalletOfficeService {
  readonly #deps: WalletOfficeDeps;

  constructor(deps: WalletOfficeDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP */
  async view({ accountId, environment }: Scope): Promise<WalletOverview> {
    const { db, clock, floats } = this.#deps;
    const scope = { accountId, environment };
    const float = await floats.forecast(scope);
    const alert = await findAlert(db, scope);
    const { available, held, currency, currencyDivisor, salesLeft, emptyAt, hoursLeft } = float;
    return {
      environment,
      available,
      held,
      currency,
      currencyDivisor,
      madeAt: toTimestamp(clock.now()),
      ...(salesLeft !== undefined && { salesLeft }),
      ...(emptyAt !== undefined && { emptyAt: toTimestamp(emptyAt) }),
      ...(hoursLeft !== undefined && { hoursLeft }),
      alert,
      low: whyLow(float, alert),
    };
  }

  /** An absent limit raises no alert. */
  async setAlert(author: ScopedAuthor, alert: WalletAlert): Promise<WalletAlert> {
    await this.#deps.transactor.transact(author.accountId, (tx) =>
      this.setAlertIn(tx, author, alert),
    );
    return alert;
  }

  async setAlertIn(tx: Tx, author: ScopedAuthor, alert: WalletAlert): Promise<void> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    const at = this.#deps.clock.now();
    const changed = whatChanged(toAuditFacts(await findAlert(tx, scope)), toAuditFacts(alert));
    if (Object.keys(changed).length === 0) return;
    await writeSetting(tx, scope, WALLET_ALERT, alert);
    const detail = { environment, ...changed, ...(await getWalletUnit(tx, accountId)) };
    const entry = { action: "wallet.alert", subject: environment, detail } as const;
    await recordAudit(tx, { accountId, staffId, ...entry, at });
    await recordChange(tx, scope, { topic: "wallet", subject: "alert", at });
  }
}

/** Returns why the wallet is low (rules#wallet-alert). */
function whyLow(
  { available, hoursLeft }: FloatForecast,
  { lowAmount, lowHours }: WalletAlert,
): WalletOverview["low"] {
  if (available <= 0) return ["EMPTY"];
  const low: WalletOverview["low"] = [];
  if (lowAmount !== undefined && available <= lowAmount) low.push("AMOUNT");
  if (lowHours !== undefined && hoursLeft !== undefined && hoursLeft <= lowHours) low.push("HOURS");
  return low;
}

function toAuditFacts({ lowAmount = 0, lowHours = 0 }: WalletAlert) {
  return { lowAmount, lowHours };
}

export async function findAlert(
  db: Db | Tx,
  { accountId, environment }: Scope,
): Promise<WalletAlert> {
  return (await readSetting(db, { accountId, environment }, WALLET_ALERT)) ?? {};
}

export function createWalletOfficeModule(deps: WalletOfficeDeps) {
  const walletOffice = new WalletOfficeService(deps);
  const statements = new StatementService(deps);
  return {
    services: { walletOffice },
    pos: (app) => registerWalletOfficeRoutes(app, { ...deps, walletOffice, statements }),
  } satisfies Module;
}

async function registerWalletOfficeRoutes(
  app: App,
  {
    recharges,
    walletOffice,
    statements,
  }: WalletOfficeDeps & { walletOffice: WalletOfficeService; statements: StatementService },
): Promise<void> {
  const { walletOfficeOperations: operations } = await import(
    "../../../contract/pos/wallet-office.ts"
  );
  handle(app, operations.viewOverview, ({ actor }) =>
    walletOffice.view(requireFiguresReader(actor)),
  );
  handle(app, operations.listStatement, ({ actor, query }) =>
    statements.list(requireFiguresReader(actor), query),
  );
  handle(app, operations.exportStatement, async ({ actor, query, reply }) =>
    sendCsv(
      reply,
      `wallet-${query.firstDay}-${query.lastDay}`,
      statements.export(requireFiguresReader(actor), query),
    ),
  );
  handle(app, operations.setAlert, ({ actor, body }) => {
    const { environment, ...alert } = body;
    const { accountId, staffId } = actor;
    return walletOffice.setAlert({ accountId, staffId, environment }, alert);
  });
  handle(app, operations.setTestBalance, async ({ actor, body }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: "test" } as const;
    await recharges.setTestWallet(author, body.available);
    return walletOffice.view(author);
  });
}
