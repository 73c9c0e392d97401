import type {
  FigureLine,
  FigureLines,
  FigureLinesFile,
  FigureMovement,
  FigureMovements,
  FigureOwed,
} from "../../../contract/pos/figures.ts";
import { invalidField, Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Part } from "./figure-parts.ts";
import type { FigureReader } from "./figure-reader.ts";
import {
  type LineRow,
  listLineRows,
  listMovementRows,
  listOwedRows,
  type MovementRow,
  type RowPage,
  type RowPosition,
} from "./figure-rows-store.ts";
import type { Days } from "./figure-service.ts";
import { readRefundsDue } from "./first-page-service.ts";

interface FigureRowServiceDeps {
  db: Db;
  reader: FigureReader;
}

interface PageQuery {
  before?: string | undefined;
  limit: number;
}

export class FigureRowService {
  readonly #deps: FigureRowServiceDeps;

  constructor(deps: FigureRowServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async listLines(reader: Scope, query: FigureLinesFile & PageQuery): Promise<FigureLines> {
    const { scope, period: span } = await this.#deps.reader.readRequest(reader, query);
    const page = { span, ...readPaging(query) };
    const rows = await listLineRows(this.#deps.db, scope, page, readPart(query));
    return { list: rows.map(viewLine), ...toNext(rows, page.limit) };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async listMovements(reader: Scope, query: Days & PageQuery): Promise<FigureMovements> {
    const { scope, period: span } = await this.#deps.reader.readRequest(reader, query);
    const page = { span, ...readPaging(query) };
    const rows = await listMovementRows(this.#deps.db, scope, page);
    return { list: rows.map(viewMovement), ...toNext(rows, page.limit) };
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the field */
  async listOwed(reader: Scope, query: PageQuery): Promise<FigureOwed> {
    const { scope } = await this.#deps.reader.readContext(reader);
    const page = readPaging(query);
    const rows = await listOwedRows(this.#deps.db, scope, page);
    const { lines, amount } = await readRefundsDue(this.#deps.db, scope);
    const list = rows.map((row) => ({
      failedAt: toTimestamp(row.at),
      saleId: row.sale_id,
      saleNumber: row.sale_number,
      transactionId: row.id,
      clerk: row.clerk,
      amount: row.amount,
    }));
    return { lines, amount, list, ...toNext(rows, page.limit) };
  }
}

/** @throws Problem INVALID_REQUEST */
export function readPart({ by, value }: FigureLinesFile): Part | undefined {
  if (by === undefined && value === undefined) return undefined;
  if (by !== undefined && value !== undefined) return { by, value };
  const field = by === undefined ? "by" : "value";
  throw invalidField(field, "is required");
}

/** @throws Problem INVALID_REQUEST */
function readPaging({ before, limit }: PageQuery): Omit<RowPage, "span"> {
  if (before === undefined) return { after: undefined, limit };
  const { at, kind, id } =
    /^(?<at>\d{1,15})-(?<kind>[A-Z_]+)-(?<id>.+)$/.exec(before)?.groups ?? {};
  if (at === undefined || kind === undefined || id === undefined) {
    throw new Problem("INVALID_REQUEST", "before is not the next of a page.", {
      before: "must be `next` of the page before",
    });
  }
  return { after: { at: Number(at), kind, id }, limit };
}

function toNext(rows: readonly RowPosition[], limit: number): { next?: string } {
  const last = rows.at(-1);
  return last && rows.length === limit ? { next: `${last.at}-${last.kind}-${last.id}` } : {};
}

export function viewLine(row: LineRow): FigureLine {
  const isFailed = row.kind === "NOT_DELIVERED";
  const signed = (amount: number) => (isFailed && amount !== 0 ? -amount : amount);
  const sold = row.price - row.discount;
  return {
    at: toTimestamp(row.at),
    kind: isFailed ? "NOT_DELIVERED" : "SOLD",
    ...(row.sale_id !== null && { saleId: row.sale_id }),
    ...(row.sale_number !== null && { saleNumber: row.sale_number }),
    transactionId: row.id,
    family: row.family,
    offerId: row.offer_id,
    brand: row.brand,
    brandName: row.brand_name,
    country: row.country,
    clerk: row.clerk,
    till: row.till,
    price: signed(row.price),
    discount: signed(row.discount),
    sold: signed(sold),
    tax: signed(row.tax),
    cost: signed(row.cost),
    earned: signed(sold - row.tax - row.cost),
    rate: row.rate,
    taxKind: row.tax_kind,
    taxPercent: row.tax_percent,
    channel: row.channel,
    ...(row.key_id !== null && { apiKey: { keyId: row.key_id, name: row.key_name ?? "" } }),
    ...(row.provider !== null && { provider: row.provider }),
  };
}

export function viewMovement(row: MovementRow): FigureMovement {
  return {
    at: toTimestamp(row.at),
    kind: row.kind === "HANDED_BACK" ? "HANDED_BACK" : "TAKEN",
    saleId: row.sale_id,
    saleNumber: row.sale_number,
    tender: row.tender,
    ...(row.tender_id !== "" && { tenderId: row.tender_id }),
    ...(row.tender_name !== "" && { name: row.tender_name }),
    clerk: row.clerk,
    amount: row.amount,
    reference: row.reference,
  };
}
