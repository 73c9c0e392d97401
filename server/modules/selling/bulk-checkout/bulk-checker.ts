import { createHash } from "node:crypto";
import { isSupportedCountry } from "libphonenumber-js/max";
import { Type } from "typebox";
import type { Environment } from "../../../contract/common.ts";
import {
  type BulkFault,
  type BulkWarning,
  BulkWarning as BulkWarningSchema,
  MOST_BULK_LINES,
} from "../../../contract/pos/bulk-runs.ts";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { WantedLine } from "../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../db/changes.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject } from "../../../jobs/job-subject.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { describeAmount, Exact } from "../../../lib/money.ts";
import {
  type CatalogService,
  type CatalogSnapshot,
  sendUnitOf,
  sumCost,
} from "../../catalog/catalog/index.ts";
import {
  canonicalNumber,
  type PhoneDescription,
  type PhoneService,
} from "../../catalog/phone-lookup/index.ts";
import type { Base } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { findCarrier } from "../customers/index.ts";
import { getRecipient, getTitle, prepareLine } from "../sales/index.ts";
import {
  type BulkLineRow,
  changeLine,
  findRun,
  findSameSold,
  listInState,
  moveRun,
} from "./bulk-run-store.ts";
import { BulkCells, FIELD_PREFIX } from "./bulk-table.ts";

export interface ReadRecipient {
  wanted: Pick<WantedLine, "recipientPhoneNumber" | "fields" | "iccid">;
  faults: BulkFault[];
  warnings: BulkWarning[];
}

interface CheckContext {
  phones: PhoneService;
  environment: Environment;
  /** The shop's country, ISO 3166-1 alpha-2; empty if unknown. */
  home: string;
}

/** Scientific notation, in which spreadsheets lose the last digits of long numbers. */
const ROUNDED = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;
const PHONE = /^\+?[\d\s()./-]+$/;
const ICCID = /^89\d{16,18}$/;
const PHONE_FIELD = /msisdn|phone/i;

function findCountry(
  { recipient = "" }: BulkCells,
  { phones, environment, home }: CheckContext,
): string {
  if (!PHONE.test(recipient)) return home;
  const { international } = phones.read(recipient, "", environment);
  return international.valid ? international.country : home;
}

function readRecipient(offer: Offer, cells: BulkCells, around: CheckContext): ReadRecipient {
  const { recipient } = cells;
  if (recipient !== undefined && ROUNDED.test(recipient)) {
    return misread("recipient", "NUMBER_ROUNDED", recipient);
  }
  const kind = FAMILY_FACTS[offer.productType].recipientKind;
  if (kind === "fields") return readFields(offer, cells, around);
  const [strange] = Object.keys(cells).filter((column) => column.startsWith(FIELD_PREFIX));
  if (strange !== undefined) return misread(strange, "RECIPIENT_NOT_TAKEN", cells[strange]);
  return kind === "number" ? readNumber(offer, cells, around) : readIccid(cells);
}

function readNumber(offer: Offer, { recipient }: BulkCells, around: CheckContext): ReadRecipient {
  if (recipient === undefined) return misread("recipient", "NUMBER_MISSING");
  const phone = completed(recipient, offer.country, around);
  if (!phone) return misread("recipient", "NUMBER_BAD", recipient);
  if (phone.country !== offer.country) {
    return misread("recipient", "NUMBER_ELSEWHERE", `${phone.formatted} (${phone.country})`);
  }
  if (!phone.mobile) return misread("recipient", "NUMBER_NOT_MOBILE", phone.formatted);
  const { carrier } = phone;
  const isOther = carrier !== undefined && carrier.brand !== "" && carrier.brand !== offer.brand;
  return {
    wanted: { recipientPhoneNumber: phone.number },
    faults: [],
    warnings: isOther ? [{ code: "OTHER_CARRIER", detail: carrier.name }] : [],
  };
}

function completed(
  typed: string,
  country: string,
  { phones, environment }: CheckContext,
): PhoneDescription | undefined {
  if (!PHONE.test(typed)) return undefined;
  const home = isSupportedCountry(country) ? country : "";
  const { international, local } = phones.read(typed, home, environment);
  if (international.valid && (international.country === country || !local)) return international;
  return local;
}

function readIccid({ recipient }: BulkCells): ReadRecipient {
  const iccid = recipient?.replaceAll(/\s/g, "");
  if (iccid === undefined) return { wanted: {}, faults: [], warnings: [] };
  return ICCID.test(iccid)
    ? { wanted: { iccid }, faults: [], warnings: [] }
    : misread("recipient", "ICCID_BAD", iccid);
}

/** The recipient column fills the first required field that has no column. */
function readFields(offer: Offer, cells: BulkCells, around: CheckContext): ReadRecipient {
  const given = new Map(
    Object.entries(cells).flatMap(([column, cell]) =>
      column.startsWith(FIELD_PREFIX) ? [[column.slice(FIELD_PREFIX.length), cell] as const] : [],
    ),
  );
  const required = "requiredFields" in offer ? offer.requiredFields : [];
  const open = required.filter((name) => !given.has(name));
  const { recipient } = cells;
  const [first, second] = open;
  if (recipient !== undefined) {
    if (first === undefined) return misread("recipient", "RECIPIENT_NOT_TAKEN", recipient);
    given.set(first, recipient);
  }
  const missing = recipient === undefined ? first : second;
  if (missing !== undefined) return misread(FIELD_PREFIX + missing, "FIELD_MISSING", missing);
  const fields: { key: string; value: string }[] = [];
  for (const [key, value] of given) {
    const column = key === first && recipient !== undefined ? "recipient" : FIELD_PREFIX + key;
    if (ROUNDED.test(value)) return misread(column, "NUMBER_ROUNDED", value);
    const phone = PHONE_FIELD.test(key) ? completed(value, offer.country, around) : undefined;
    if (PHONE_FIELD.test(key) && !phone) return misread(column, "NUMBER_BAD", value);
    fields.push({ key, value: phone?.number ?? value });
  }
  return { wanted: { fields }, faults: [], warnings: [] };
}

function misread(field: string, code: BulkFault["code"], detail = ""): ReadRecipient {
  return { wanted: {}, faults: [{ field, code, detail: detail.slice(0, 120) }], warnings: [] };
}

const MAX_DETAIL_LENGTH = 120;
/** Subtype that is preferred to a bundle that delivers the same amount. */
const PLAIN_TOPUP = "Mobile Top Up";

const byBrand = new WeakMap<CatalogSnapshot, Map<string, Offer[]>>();

export const CHECK_JOB = "bulk.check";

const LINES_AT_ONCE = 50;
const MAX_NOTE_LENGTH = 120;
/** A number that is sold again within this time gets a warning, as at the counter. */
const RECENT_MS = 10 * MINUTE;
/**
 * A line that was already sold within this time gets a warning: a corrected file may repeat lines.
 */
const SAME_RUN_MS = DAY;

interface BulkCheckerDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  catalog: CatalogService;
  purchases: PurchaseService;
  phones: PhoneService;
  shop: ShopService;
}

type CheckedChange = Pick<
  BulkLineRow,
  "state" | "faults_json" | "warnings_json" | "title" | "recipient" | "note"
> &
  Partial<BulkLineRow>;

/** Checks all lines in batches before any line can be sold (rules#bulk-checked-first). */
export class BulkChecker {
  readonly #deps: BulkCheckerDeps;

  constructor(deps: BulkCheckerDeps) {
    this.#deps = deps;
  }

  /** Checks the next lines. After the last line, the run waits for its confirmation. */
  async advance(subject: string): Promise<void> {
    const { db, transactor, clock } = this.#deps;
    const { scope, id: runId } = decodeSubject(subject);
    const run = { ...scope, runId };
    if ((await findRun(db, scope, runId))?.state !== "CHECKING") return;
    const lines = await listInState(db, run, "UNCHECKED", { limit: LINES_AT_ONCE });
    if (lines.length === 0) return this.#finish(run);
    const home = (await this.#deps.shop.find(scope.accountId))?.country ?? "";
    const checked: { line: number; change: CheckedChange }[] = [];
    for (const row of lines) {
      checked.push({ line: row.line, change: await this.#check(scope, row, home) });
    }
    await transactor.transact(run.accountId, async (tx) => {
      for (const { line, change } of checked) await changeLine(tx, run, line, "UNCHECKED", change);
      await enqueueJob(tx, { kind: CHECK_JOB, subject, runAt: clock.now() });
    });
  }

  async #check(scope: Scope, row: BulkLineRow, home: string): Promise<CheckedChange> {
    const { phones, catalog } = this.#deps;
    const cells = readColumn(BulkCells, row.cells_json, {
      table: "bulk_lines",
      column: "cells_json",
      row: `${row.run_id} ${row.line}`,
    });
    const { note = "" } = cells;
    const faults: BulkFault[] = [];
    if (note.length > MAX_NOTE_LENGTH) {
      faults.push({ field: "note", code: "NOTE_TOO_LONG", detail: String(MAX_NOTE_LENGTH) });
    }
    const around = { phones, environment: scope.environment, home };
    const snapshot = await catalog.getSnapshot(scope);
    const said = { note: note.slice(0, MAX_NOTE_LENGTH), title: toTitle(cells) };
    const named = findOffer(snapshot, cells, findCountry(cells, around));
    if ("fault" in named) return faulty([named.fault, ...faults], cells, said);
    const { offer, value } = named.found;
    const read = readRecipient(offer, cells, around);
    faults.push(...read.faults);
    if (faults.length > 0) return faulty(faults, cells, said);
    const { productType, offerId } = offer;
    const wanted = { productType, offerId, ...read.wanted, ...(value && { value }) };
    return this.#price(scope, row, wanted, { warnings: read.warnings, cells, said });
  }

  async #price(
    scope: Scope,
    { run_id: runId, line }: BulkLineRow,
    wanted: WantedLine,
    read: {
      warnings: BulkWarning[];
      cells: BulkCells;
      said: Pick<CheckedChange, "note" | "title">;
    },
  ): Promise<CheckedChange> {
    const transactionId = toTransactionId(runId, line);
    try {
      const purchase = await prepareLine(this.#deps, scope, { ...wanted, transactionId });
      const { offer, quote, value } = purchase;
      const { value: _, ...others } = wanted;
      // As in a sale, a FIXED offer of the same amount replaces a RANGE offer.
      const input = { ...others, offerId: offer.offerId, ...(value && { value }) };
      const recipient = getRecipient(wanted, purchase);
      const sold = { recipient, offerId: offer.offerId, brand: offer.brand, send: quote.send };
      return {
        ...read.said,
        state: "READY",
        faults_json: "[]",
        warnings_json: JSON.stringify(await this.#warn(scope, sold, read.warnings)),
        input_json: JSON.stringify(input),
        title: `${offer.brandName} ${getTitle(purchase)}`,
        recipient,
        price: quote.priceBase + quote.priceFee,
        cost: sumCost(quote),
        sale_id: toSaleId(runId, line),
        transaction_id: transactionId,
      };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return faulty([toFault(error)], read.cells, read.said);
    }
  }

  async #warn(
    scope: Scope,
    sold: { recipient: string; offerId: string; brand: string; send: number },
    found: readonly BulkWarning[],
  ): Promise<BulkWarning[]> {
    const { db, clock } = this.#deps;
    const { recipient, brand } = sold;
    if (recipient === "") return [...found];
    const warnings: BulkWarning[] = [];
    for (const warning of found) {
      // No warning if a person has stored this carrier for the ported number.
      const isKnown =
        warning.code === "OTHER_CARRIER" && (await findCarrier(db, scope, recipient)) === brand;
      if (!isKnown) warnings.push(warning);
    }
    const now = clock.now();
    const same = await findSameSold(db, scope, { ...sold, since: now - SAME_RUN_MS });
    if (!same) return warnings;
    const detail = String(same.saleNumber);
    if (same.soldAt >= now - RECENT_MS) warnings.push({ code: "SOLD_RECENTLY", detail });
    else if (same.runId !== null) warnings.push({ code: "SOLD_IN_RUN", detail });
    return warnings;
  }

  async #finish(run: Scope & { runId: string }): Promise<void> {
    const { db, transactor } = this.#deps;
    const ready = await listInState(db, run, "READY", { limit: MOST_BULK_LINES });
    const first = new Map<string, number>();
    const twice: { line: number; warnings_json: string }[] = [];
    for (const { line, input_json, recipient, warnings_json } of ready) {
      const key = input_json ?? "";
      const before = first.get(key);
      if (before === undefined || recipient === "") first.set(key, before ?? line);
      else {
        const warnings = readWarnings(warnings_json, line);
        const warning: BulkWarning = { code: "TWICE", detail: String(before) };
        twice.push({ line, warnings_json: JSON.stringify([warning, ...warnings]) });
      }
    }
    const digest = digestOf(ready.map(({ input_json }) => input_json ?? "").toSorted());
    await transactor.transact(run.accountId, async (tx) => {
      for (const { line, warnings_json } of twice) {
        await changeLine(tx, run, line, "READY", { warnings_json });
      }
      await moveRun(tx, run, ["CHECKING"], "CHECKED", { digest });
    });
  }
}

function readWarnings(text: string, row: number): BulkWarning[] {
  const at = { table: "bulk_lines", column: "warnings_json", row } as const;
  return readColumn(Type.Array(BulkWarningSchema), text, at);
}

function faulty(
  faults: readonly BulkFault[],
  { recipient = "" }: BulkCells,
  said: Pick<CheckedChange, "note" | "title">,
): CheckedChange {
  const faults_json = JSON.stringify(faults);
  const canonical = { recipient: canonicalNumber(recipient) };
  return { ...said, state: "FAULTY", faults_json, warnings_json: "[]", ...canonical };
}

function toTitle({ offer, brand, amount, value }: BulkCells): string {
  return [offer ?? brand, amount ?? value]
    .filter((cell) => cell !== undefined)
    .join(" ")
    .slice(0, 200);
}

function toFault({ errorCode, message, fields }: Problem): BulkFault {
  const detail = message.slice(0, 200);
  switch (errorCode) {
    case "OFFER_NOT_FOUND":
    case "OFFER_DISABLED":
      return { field: "offer", code: errorCode, detail };
    case "VALUE_REQUIRED":
    case "VALUE_NOT_ALLOWED":
    case "VALUE_OUT_OF_RANGE":
      return { field: "value", code: errorCode, detail };
    case "REQUIRED_FIELD_MISSING":
      return { field: "recipient", code: "FIELD_MISSING", detail: Object.keys(fields).join(", ") };
    default:
      return { field: "offer", code: "NOT_SOLD", detail };
  }
}

/** Derives the id from run and line, so that no line is sold twice. */
function toSaleId(runId: string, line: number): string {
  const hex = createHash("sha256").update(`bulk sale ${runId} ${line}`).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

function toTransactionId(runId: string, line: number): string {
  return `bulk-${runId}-${line}`;
}

interface FoundOffer {
  offer: Offer;
  value?: PurchaseValue;
}

type FoundOrFault = { found: FoundOffer } | { fault: BulkFault };

/** @param country country of the number, if known: a brand may sell in several countries */
function findOffer(snapshot: CatalogSnapshot, cells: BulkCells, country: string): FoundOrFault {
  const { offer: offerId, brand, amount, value } = cells;
  if (offerId !== undefined) return findById(snapshot, offerId, cells);
  if (brand === undefined) return fault("offer", "OFFER_MISSING");
  const offers = listOffers(snapshot, brand);
  if (offers.length === 0) return fault("brand", "BRAND_NOT_FOUND", brand);
  if (amount === undefined) return fault("amount", "AMOUNT_BAD");
  if (value !== undefined) return fault("value", "VALUE_NOT_ALLOWED");
  const near = offers.filter((offer) => offer.country === country);
  return findDelivered(near.length > 0 ? near : offers, amount);
}

function findById(
  snapshot: CatalogSnapshot,
  offerId: string,
  { amount, value }: BulkCells,
): FoundOrFault {
  const offer = snapshot.get(offerId) ?? snapshot.get(offerId.toUpperCase());
  if (!offer) return fault("offer", "OFFER_NOT_FOUND", offerId);
  if (!offer.enabled) return fault("offer", "OFFER_DISABLED", offer.offerId);
  if (value !== undefined) return valued(offer, value);
  if (amount === undefined) return { found: { offer } };
  const delivered = findDelivered([offer], amount);
  return "found" in delivered ? delivered : fault("amount", "AMOUNT_NOT_SOLD", amount);
}

function valued(offer: Offer, text: string): FoundOrFault {
  if (offer.priceType === "FIXED") return fault("value", "VALUE_NOT_ALLOWED", text);
  const value = toMinorAmount(text, offer.price.currencyDivisor);
  if (value === undefined) return fault("value", "VALUE_BAD", text);
  return { found: { offer, value: { type: "PRICE", value } } };
}

function findDelivered(offers: readonly Offer[], amount: string): FoundOrFault {
  if (!/^\d/.test(amount)) return fault("amount", "AMOUNT_BAD", amount);
  const enabled = offers.filter((offer) => offer.enabled);
  const fixed = enabled.filter((offer) => {
    const send = sentIn(offer, amount);
    return send !== undefined && "send" in offer && offer.send.fixed === send;
  });
  const plain = fixed.filter(({ subTypes }) => subTypes.some((one) => one === PLAIN_TOPUP));
  const [only, another] = plain.length > 0 ? plain : fixed;
  if (only && another) return unclear([only, another]);
  if (only) return { found: { offer: only } };
  const ranges = enabled.flatMap((offer) => atAmount(offer, sentIn(offer, amount)));
  const [range, other] = ranges;
  if (range && other) return unclear([range.offer, other.offer]);
  return range ? { found: range } : fault("amount", "AMOUNT_NOT_SOLD", soldBy(enabled) || amount);
}

function sentIn(offer: Offer, amount: string): number | undefined {
  return toMinorAmount(amount, sendUnitOf(offer).currencyDivisor);
}

function atAmount(offer: Offer, send: number | undefined): FoundOffer[] {
  if (offer.priceType !== "RANGE" || !("send" in offer) || send === undefined) return [];
  const { min = 0, max = 0 } = offer.send;
  return send >= min && send <= max && send > 0
    ? [{ offer, value: { type: "ZEND", value: send } }]
    : [];
}

function soldBy(offers: readonly Offer[]): string {
  const amounts = offers.flatMap((offer) =>
    "send" in offer && offer.send.fixed !== undefined
      ? [describeAmount(offer.send.fixed, sendUnitOf(offer))]
      : [],
  );
  return [...new Set(amounts)].slice(0, 8).join(", ");
}

/**
 * Accepts a decimal point or comma, and the currency's number of decimals. Refuses thousands
 * separators, such as in 1,000.
 */
function toMinorAmount(text: string, divisor: number): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > Math.log10(divisor)) return undefined;
  return new Exact(`${whole}.${fraction || "0"}`).mul(divisor).toNumber();
}

function listOffers(snapshot: CatalogSnapshot, brand: string): readonly Offer[] {
  let known = byBrand.get(snapshot);
  if (!known) {
    known = new Map();
    for (const offer of snapshot.offers) {
      for (const name of new Set([folded(offer.brand), folded(offer.brandName)])) {
        known.set(name, [...(known.get(name) ?? []), offer]);
      }
    }
    byBrand.set(snapshot, known);
  }
  return known.get(folded(brand)) ?? [];
}

function folded(name: string): string {
  return name.normalize("NFC").toLocaleLowerCase("en");
}

function unclear(offers: readonly Offer[]): FoundOrFault {
  return fault("offer", "OFFER_UNCLEAR", offers.map(({ offerId }) => offerId).join(", "));
}

function fault(field: string, code: BulkFault["code"], detail = ""): { fault: BulkFault } {
  return { fault: { field, code, detail: detail.slice(0, MAX_DETAIL_LENGTH) } };
}
