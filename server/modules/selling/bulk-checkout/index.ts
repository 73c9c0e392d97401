import type { Actor } from "../../../contract/pos/actor.ts";
import type { BulkResults } from "../../../contract/pos/bulk-runs.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { pause } from "../../../lib/clock.ts";
import { majorText, toMajor } from "../../../lib/money.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { toHarmlessCell } from "../../books/reports/index.ts";
import { type CatalogService, sendUnitOf } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import {
  findPurchases,
  type PurchaseService,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { getOutcome, type RequireShift, type SaleService } from "../sales/index.ts";
import { BulkChecker, CHECK_JOB } from "./bulk-checker.ts";
import { requireVisible, toScope } from "./bulk-rules.ts";
import { BulkRunService } from "./bulk-run-service.ts";
import { type BulkLineRow, listLines } from "./bulk-run-store.ts";
import { BulkSeller, SELL_JOB } from "./bulk-seller.ts";

interface BulkResultServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  shop: ShopService;
}

const BYTE_ORDER_MARK = "\uFEFF";
const LINES_AT_ONCE = 200;
const COLUMNS = [
  "line",
  "outcome",
  "transactionId",
  "product",
  "recipient",
  "note",
  "price",
  "currency",
  "delivered",
  "deliveredCurrency",
  "confirmationNumber",
  "reason",
] as const;
const SECRET_COLUMNS = ["pin", "serialNumber", "link", "iccid", "smdpAddress", "activationCode"];
/** Content of unquoted cells. Other cells are quoted, so that ids keep all digits. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const BARE = new Set(["line", "price", "delivered"]);

/** rules#bulk-results */
class BulkResultService {
  readonly #deps: BulkResultServiceDeps;

  constructor(deps: BulkResultServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @param reveal true adds PINs and codes to the results and a record to the audit trail
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED
   */
  async write(actor: Actor, runId: string, reveal: boolean): Promise<BulkResults> {
    const { db, clock, shop } = this.#deps;
    const run = await requireVisible(db, actor, runId);
    if (reveal) await this.#recordReveal(actor, runId, run.name);
    const { currency, currencyDivisor } = await shop.get(actor.accountId);
    const names = [...COLUMNS, ...(reveal ? SECRET_COLUMNS : [])];
    const texts = [BYTE_ORDER_MARK, toLine(names.map((name) => quoted(name)))];
    for (let offset = 0; ; offset += LINES_AT_ONCE) {
      const page = { show: "ALL", limit: LINES_AT_ONCE, offset } as const;
      const { rows } = await listLines(db, { ...toScope(actor), runId }, page);
      if (rows.length === 0) break;
      const ids = rows.flatMap(({ transaction_id: id }) => (id === null ? [] : [id]));
      const found = await findPurchases(db, actor, ids);
      const purchases = new Map(found.map((one) => [one.transaction.transactionId, one]));
      for (const row of rows) {
        const purchase = row.state === "SOLD" ? purchases.get(row.transaction_id ?? "") : undefined;
        const cells = listCells(row, purchase, { currency, currencyDivisor, now: clock.now() });
        const secrets = reveal ? listSecrets(purchase) : [];
        texts.push(toLine([...cells, ...secrets].map((cell, at) => toCell(cell, names[at] ?? ""))));
      }
      await pause();
    }
    return { fileName: `bulk-${runId.slice(0, 8)}.csv`, text: texts.join("") };
  }

  async #recordReveal(actor: Actor, runId: string, name: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const { accountId, staffId, environment } = actor;
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      await requireRights(tx, actor, {
        needs: [{ right: "reveal" }],
        subject: runId,
        request: { reveal: runId },
        approvalId: undefined,
        facts: { name },
        at,
      });
      const detail = { name, environment };
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "bulk.reveal",
        subject: runId,
        detail,
        at,
      });
    });
  }
}

function listCells(
  row: BulkLineRow,
  purchase: StoredPurchase | undefined,
  { currency, currencyDivisor, now }: { currency: string; currencyDivisor: number; now: number },
): string[] {
  const { line, state, title, recipient, note, price, transaction_id, refusal_message } = row;
  const sold = purchase && "send" in purchase.offer ? sendUnitOf(purchase.offer) : undefined;
  const { quote, transaction, fulfilment } = purchase ?? {};
  return [
    String(line),
    purchase ? getOutcome(purchase, now) : state,
    (purchase && transaction_id) ?? "",
    title,
    recipient,
    note,
    price === null ? "" : majorText(price, currencyDivisor),
    price === null ? "" : currency,
    sold && quote ? toMajor(quote.send, sold.currencyDivisor).toFixed() : "",
    sold?.currency ?? "",
    fulfilment?.confirmation.confirmationNumber ?? "",
    transaction?.error?.message ?? refusal_message ?? "",
  ];
}

function listSecrets(purchase: StoredPurchase | undefined): string[] {
  const { receipt, esim } = purchase?.fulfilment ?? {};
  return [
    receipt?.epin ?? "",
    receipt?.voucherId ?? "",
    receipt?.redemptionUrl ?? "",
    esim?.iccid ?? "",
    esim?.smdpAddress ?? "",
    esim?.activationCode ?? "",
  ];
}

function toCell(cell: string, column: string): string {
  return BARE.has(column) && NUMBER.test(cell) ? cell : quoted(toHarmlessCell(cell));
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function toLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

type BulkCheckoutModuleDeps = Base & {
  catalog: CatalogService;
  phones: PhoneService;
  purchases: PurchaseService;
  sales: SaleService;
  shop: ShopService;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
};

export function createBulkCheckoutModule(deps: BulkCheckoutModuleDeps) {
  const bulkRuns = new BulkRunService(deps);
  const bulkResults = new BulkResultService(deps);
  const checker = new BulkChecker(deps);
  const seller = new BulkSeller(deps);
  return {
    services: {},
    jobs: [
      { kind: CHECK_JOB, run: (subject) => checker.advance(subject), concurrency: 1 },
      { kind: SELL_JOB, run: (subject) => seller.advance(subject), concurrency: 1 },
    ],
    pos: (app) => registerBulkRoutes(app, { bulkRuns, bulkResults }),
  } satisfies Module;
}

interface BulkRoutesDeps {
  bulkRuns: BulkRunService;
  bulkResults: BulkResultService;
}

async function registerBulkRoutes(
  app: App,
  { bulkRuns, bulkResults }: BulkRoutesDeps,
): Promise<void> {
  const { bulkOperations } = await import("../../../contract/pos/bulk-runs.ts");
  handle(app, bulkOperations.create, ({ actor, body }) => bulkRuns.create(actor, body));

  handle(app, bulkOperations.list, ({ actor }) => bulkRuns.list(actor));

  handle(app, bulkOperations.get, ({ actor, params }) => bulkRuns.get(actor, params.runId));

  handle(app, bulkOperations.listLines, ({ actor, params, query }) =>
    bulkRuns.listLines(actor, params.runId, query),
  );

  handle(app, bulkOperations.confirm, ({ actor, params, body }) =>
    bulkRuns.confirm(actor, params.runId, body),
  );

  handle(app, bulkOperations.pause, ({ actor, params }) => bulkRuns.pause(actor, params.runId));

  handle(app, bulkOperations.resume, ({ actor, params, body }) =>
    bulkRuns.resume(actor, params.runId, body.total),
  );

  handle(app, bulkOperations.stop, ({ actor, params }) => bulkRuns.stop(actor, params.runId));

  handle(app, bulkOperations.results, ({ actor, params, body }) =>
    bulkResults.write(actor, params.runId, body.reveal),
  );
}
