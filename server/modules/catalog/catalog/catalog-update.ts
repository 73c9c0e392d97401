import {
  type CatalogContent,
  type CatalogPromo,
  emptyContent,
  getSection,
  SECTIONS,
  type Section,
} from "../../../contract/catalog-content.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import { FAMILIES } from "../../../contract/pos/families.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { type Clock, pause } from "../../../lib/clock.ts";
import type { Unit } from "../../../lib/money.ts";
import {
  FIRST_PROVIDER,
  findProductId,
  toOwnId,
  toProviderColumn,
} from "../../../providers/supply.ts";
import { type CatalogInput, type CheckedCatalog, checkCatalog } from "./catalog-check.ts";
import { endReplacement } from "./catalog-choices.ts";
import { type CatalogUpdateNote, recordCatalogUpdate } from "./catalog-history.ts";
import type { CatalogMessages } from "./catalog-messages.ts";
import { type Check, compileChecks, type Fault, isRecord, ORDERED } from "./catalog-schema.ts";
import {
  CATALOG_TABLES,
  type CatalogChange,
  type CatalogTable,
  findCatalogVersion,
  findEdition,
  listBrandTexts,
  listOfferTexts,
  listPromoTexts,
  readBrand,
  readOffer,
  readPromo,
  readStoredCatalog,
  type StoredCatalog,
  toBrandRow,
  toOfferRow,
  toPromoRow,
} from "./catalog-store.ts";
import type { CatalogWriter } from "./catalog-writer.ts";

/** A provider's part of the catalog. Its items have our ids, at the positions of the input. */
interface CatalogPart {
  input: CatalogInput;
  /** Brands whose stored rows stay: other providers use them, or stated them first. */
  keptBrands: ReadonlySet<string>;
  isOwn(item: { providerId: string | null }): boolean;
}

/**
 * Places a provider's catalog beside the items of other providers. A brand that both sell has one
 * row: the first provider's, and otherwise the earlier one. Its name stays while others use it
 * (rules#provider-own).
 */
function toPart(input: CatalogInput, stored: StoredCatalog, providerId: string): CatalogPart {
  const column = toProviderColumn(providerId);
  const isOwn = (item: { providerId: string | null }) => item.providerId === column;
  const used = listUsedBrands(stored, (item) => !isOwn(item));
  const keptBrands = providerId === FIRST_PROVIDER ? used.ofOthers : listKept(input, stored, used);
  const part: CatalogInput = {};
  for (const section of SECTIONS) {
    const items = input[section];
    if (items) {
      part[section] = items.map((item) => toOwnItem(item, { section, providerId, stored, used }));
    }
  }
  const isReplaced = (brand: string) => providerId !== FIRST_PROVIDER || !isStated(input, brand);
  return { input: part, keptBrands: new Set([...keptBrands].filter(isReplaced)), isOwn };
}

interface UsedBrands {
  ofOthers: ReadonlySet<string>;
  own: ReadonlySet<string>;
}

function listUsedBrands(
  stored: StoredCatalog,
  isOfOther: (item: { providerId: string | null }) => boolean,
): UsedBrands {
  const [ofOthers, own] = [new Set<string>(), new Set<string>()];
  for (const rows of [stored.offers, stored.promos]) {
    for (const item of rows.values()) (isOfOther(item) ? ofOthers : own).add(item.brand);
  }
  return { ofOthers, own };
}

/** A later provider adds a brand only for its items, and removes only a brand that it alone used. */
function listKept(input: CatalogInput, stored: StoredCatalog, used: UsedBrands): Set<string> {
  const isAlone = (brand: string) => used.own.has(brand) && !used.ofOthers.has(brand);
  const kept = new Set([...stored.brands.keys()].filter((brand) => !isAlone(brand)));
  const needed = new Set(
    SECTIONS.filter((section) => section !== "brands").flatMap((section) =>
      (input[section] ?? []).flatMap((item) => findBrand(item) ?? []),
    ),
  );
  for (const item of input.brands ?? []) {
    const brand = findBrand(item);
    if (brand !== undefined && !needed.has(brand) && !used.own.has(brand)) kept.add(brand);
  }
  return kept;
}

function findBrand(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  const { brand } = item;
  if (typeof brand === "string") return brand;
  return isRecord(brand) && typeof brand.brand === "string" ? brand.brand : undefined;
}

function isStated({ brands = [] }: CatalogInput, brand: string): boolean {
  return brands.some((item) => findBrand(item) === brand);
}

function toOwnItem(
  item: unknown,
  place: { section: string; providerId: string; stored: StoredCatalog; used: UsedBrands },
): unknown {
  const { section, providerId, stored, used } = place;
  if (!isRecord(item)) return item;
  const brand = findBrand(item) ?? "";
  const isKept =
    used.ofOthers.has(brand) || (providerId !== FIRST_PROVIDER && !used.own.has(brand));
  const name = isKept ? stored.brandNames.get(brand) : undefined;
  const named = name === undefined ? {} : { brandName: name };
  if (section === "brands") return { ...item, ...named };
  const { id, offerId } = item;
  if (section === "promos") {
    return {
      ...item,
      ...(typeof id === "string" && { id: toOwnId(id, providerId) }),
      ...(isRecord(item.brand) && { brand: { ...item.brand, ...named } }),
    };
  }
  return {
    ...item,
    ...named,
    ...(typeof offerId === "string" && { offerId: toOwnId(offerId, providerId) }),
  };
}

const COMPARED_AT_A_TIME = 200;
const OFFER_SECTIONS = FAMILIES.map(getSection);

export interface CatalogReport {
  /** Version in force after the import; 0 if there is none. */
  version: number;
  changed: boolean;
  sections: SectionReports;
}

export interface CatalogDifference {
  /** Version of the stored catalog; 0 if there is none. */
  version: number;
  sections: SectionReports;
  /** New and changed items by section, then removed items. */
  items: ItemChange[];
}

export class CatalogRefused extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`The catalog has ${faults.length} faults.`);
    this.faults = faults;
  }
}

interface CatalogUpdateServiceDeps {
  db: Db;
  clock: Clock;
  catalogWriter: CatalogWriter;
  readWalletUnit(db: Db | Tx, accountId: string): Promise<Unit>;
  recordAudit(tx: Tx, action: CatalogAction): Promise<void>;
  catalogMessages: CatalogMessages;
}

export interface CatalogAction {
  accountId: string;
  staffId: string | undefined;
  action: AuditAction;
  subject: string;
  detail: Record<string, string | number>;
  at: number;
}

export interface CatalogOrigin {
  source: string;
  action: CatalogUpdateNote["action"];
  staffId?: string;
  /** Provider whose items are replaced; by default the first, or a catalog without a provider. */
  providerId?: string;
  /** Throws if the import was cancelled. */
  requireWanted?(tx: Tx): Promise<void>;
  noteStep?(written: number, steps: number): void;
  /** Runs in the transaction that puts the catalog in force. */
  noteInForce?(tx: Tx): Promise<void>;
}

export class CatalogUpdateService {
  readonly #deps: CatalogUpdateServiceDeps;
  #checks: Promise<Record<Section, Check>> | undefined;

  constructor(deps: CatalogUpdateServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Replaces all given sections of a provider or none. The catalog is checked, compared, written in steps, and
   * put in force by one commit. Past purchases have their own copy of the offer.
   * @throws CatalogRefused
   */
  async replace(scope: Scope, input: CatalogInput, origin: CatalogOrigin): Promise<CatalogReport> {
    const { clock, recordAudit, catalogWriter, catalogMessages } = this.#deps;
    const { source, action, staffId, providerId = FIRST_PROVIDER } = origin;
    for (;;) {
      const found = await this.#check(scope, input, providerId);
      const { stored } = found;
      const { change, sections } = await compareCatalogs(found);
      const totals = sumTotals(sections);
      if (totals.added + totals.changed + totals.removed === 0) {
        return { version: stored.version ?? 0, changed: false, sections };
      }
      const offers = sumTotals({ ...sections, brands: undefined, promos: undefined });
      // A file with some sections keeps offers of the company that was replaced.
      const isWhole =
        action === "catalog.sync" || OFFER_SECTIONS.every((section) => input[section]);
      const at = clock.now();
      const { accountId, environment } = scope;
      const version = await catalogWriter.write(scope, {
        stored,
        change,
        source,
        at,
        requireWanted: async (tx) => origin.requireWanted?.(tx),
        noteStep: (written, steps) => origin.noteStep?.(written, steps),
        async record(tx, written) {
          const detail = { environment, version: written, ...totals };
          await recordAudit(tx, { accountId, staffId, action, subject: source, detail, at });
          const outcome = { version: written, ...totals };
          await recordCatalogUpdate(tx, scope, { action, source, staffId, at, outcome });
          await catalogMessages.enqueue(tx, scope, { change, offers, version: written, at });
          if (isWhole) await endReplacement(tx, scope, { providerId, at });
          await origin.noteInForce?.(tx);
        },
      });
      // `version` is undefined if another import was faster: compare again.
      if (version !== undefined) return { version, changed: true, sections };
    }
  }

  /**
   * Returns the changes that `replace` would make.
   * @throws CatalogRefused
   */
  async compare(
    scope: Scope,
    input: CatalogInput,
    providerId = FIRST_PROVIDER,
  ): Promise<CatalogDifference> {
    return differenceBetween(await this.#check(scope, input, providerId));
  }

  /** @throws CatalogRefused */
  async #check(scope: Scope, input: CatalogInput, providerId: string): Promise<StoredAndChecked> {
    const { db } = this.#deps;
    const wallet = await this.#deps.readWalletUnit(db, scope.accountId);
    this.#checks ??= compileChecks();
    const by = { wallet, checks: await this.#checks, providerId };
    return checkByStored(db, by, scope, input);
  }

  /** @param providerId undefined for the items of all providers, with our ids */
  async read(scope: Scope, providerId?: string): Promise<CatalogContent> {
    const { db } = this.#deps;
    for (;;) {
      const { edition, version } = await findEdition(db, scope);
      const content: CatalogContent = {
        ...emptyContent(),
        brands: (await listBrandTexts(db, edition)).map(readBrand),
        promos: (await listPromoTexts(db, edition))
          .filter((row) => isOf(row, providerId))
          .map((row) => toTheirPromo(readPromo(row), providerId)),
      };
      for await (const page of listOfferTexts(db, edition)) {
        for (const row of page) {
          if (!isOf(row, providerId)) continue;
          const offer = toTheirOffer(readOffer(row), providerId);
          (content[getSection(row.productType)] as Offer[]).push(offer);
        }
        await pause();
      }
      // After an import between two queries, the result would mix two versions: read again.
      if ((await findCatalogVersion(db, scope)) === version) return content;
    }
  }
}

/**
 * Like `compare`, for threads without services.
 * @param wallet unit of the catalog's costs and prices
 * @throws CatalogRefused
 */
export async function compareByStored(
  db: Db,
  wallet: Unit,
  scope: Scope,
  input: CatalogInput,
): Promise<CatalogDifference> {
  const checks = await compileChecks();
  const by = { wallet, checks, providerId: FIRST_PROVIDER };
  return differenceBetween(await checkByStored(db, by, scope, input));
}

interface StoredAndChecked {
  stored: StoredCatalog;
  checked: CheckedCatalog;
  part: CatalogPart;
  providerId: string;
}

function isOf(row: { providerId: string | null }, providerId: string | undefined): boolean {
  return providerId === undefined || row.providerId === toProviderColumn(providerId);
}

/** Returns the offer with the provider's own id. */
function toTheirOffer(offer: Offer, providerId: string | undefined): Offer {
  const productId = providerId && findProductId(offer.offerId, providerId);
  return productId ? { ...offer, offerId: productId } : offer;
}

function toTheirPromo(promo: CatalogPromo, providerId: string | undefined): CatalogPromo {
  const id = providerId && findProductId(promo.id, providerId);
  return id ? { ...promo, id } : promo;
}

/** @throws CatalogRefused */
async function checkByStored(
  db: Db,
  by: { wallet: Unit; checks: Record<Section, Check>; providerId: string },
  scope: Scope,
  input: CatalogInput,
): Promise<StoredAndChecked> {
  const stored = await readStoredCatalog(db, scope);
  const { providerId } = by;
  const part = toPart(input, stored, providerId);
  const { isOwn } = part;
  const { checked, faults } = await checkCatalog(part.input, { ...by, stored, isOwn });
  if (faults.length > 0) throw new CatalogRefused(faults);
  return { stored, checked, part, providerId };
}

async function differenceBetween(found: StoredAndChecked): Promise<CatalogDifference> {
  const { stored } = found;
  const items: ItemChange[] = [];
  const { sections } = await compareCatalogs(found, (item) => items.push(item));
  return { version: stored.version ?? 0, sections, items };
}

function sumTotals(sections: Partial<Record<Section, SectionReport | undefined>>): SectionReport {
  const reports = Object.values(sections).filter((report) => report !== undefined);
  const sum = (name: keyof SectionReport) =>
    reports.reduce((total, report) => total + report[name], 0);
  return { added: sum("added"), changed: sum("changed"), removed: sum("removed") };
}

interface SectionReport {
  added: number;
  changed: number;
  removed: number;
}

type SectionReports = Partial<Record<Section, SectionReport>>;

/** `put` adds the item to the rows to write. */
interface SectionEntry {
  id: string;
  text: string;
  put(): void;
}

/**
 * A new item (without `before`), a removed one (without `after`) or a changed one. Both texts are
 * stored JSON and may be damaged.
 */
interface ItemChange {
  section: Section;
  id: string;
  before?: string;
  after?: string;
}

/**
 * Compares in batches, between which other work may run.
 * @param note receives each changed item
 */
async function compareCatalogs(
  { stored, checked, part, providerId }: StoredAndChecked,
  note: (change: ItemChange) => void = () => {},
): Promise<{ change: CatalogChange; sections: SectionReports }> {
  const change: CatalogChange = {
    brands: { put: [], remove: [] },
    offers: { put: [], remove: [] },
    promos: { put: [], remove: [] },
  };
  const sections: SectionReports = {};
  const placed = { brands: new Map(), offers: new Map(), promos: new Map() };
  let compared = 0;
  for (const section of SECTIONS) {
    const items = checked[section];
    if (!items) continue;
    const report: SectionReport = { added: 0, changed: 0, removed: 0 };
    sections[section] = report;
    const table = getTable(section);
    for (const { id, text, put } of listEntries(section, { checked, providerId }, change)) {
      if (section === "brands" && part.keptBrands.has(id)) continue;
      if (++compared % COMPARED_AT_A_TIME === 0) await pause();
      placed[table].set(id, section);
      const before = stored[table].get(id);
      const isKnown = before?.section === section;
      if (isKnown && before.intact && isSame(section, before.text, text)) continue;
      put();
      report[isKnown ? "changed" : "added"]++;
      note({ section, id, ...(isKnown && { before: before.text }), after: text });
    }
  }
  for (const table of CATALOG_TABLES) {
    for (const [id, item] of stored[table]) {
      const isKept = table === "brands" ? part.keptBrands.has(id) : !part.isOwn(item);
      if (isKept) continue;
      const { section, text } = item;
      const report = sections[section];
      const now: unknown = placed[table].get(id);
      if (!report || now === section) continue;
      report.removed++;
      note({ section, id, before: text });
      if (now === undefined) change[table].remove.push(id);
    }
  }
  return { change, sections };
}

function getTable(section: Section): CatalogTable {
  return section === "brands" || section === "promos" ? section : "offers";
}

function* listEntries(
  section: Section,
  { checked, providerId }: Pick<StoredAndChecked, "checked" | "providerId">,
  change: CatalogChange,
): Generator<SectionEntry> {
  if (section === "brands") {
    for (const brand of checked.brands ?? []) {
      const row = toBrandRow(brand);
      yield { id: row.brand, text: row.detail_json, put: () => change.brands.put.push(row) };
    }
  } else if (section === "promos") {
    for (const promo of checked.promos ?? []) {
      const row = toPromoRow(promo, providerId);
      yield { id: row.promo_id, text: row.promo_json, put: () => change.promos.put.push(row) };
    }
  } else {
    for (const offer of checked[section] ?? []) {
      const row = toOfferRow(offer, providerId);
      yield { id: row.offer_id, text: row.offer_json, put: () => change.offers.put.push(row) };
    }
  }
}

/** Ignores the order of fields, which can differ in rows of older versions. */
function isSame(section: Section, before: string, now: string): boolean {
  if (before === now) return true;
  const stored: unknown = JSON.parse(before);
  return JSON.stringify(ORDERED[section](stored)) === now;
}
