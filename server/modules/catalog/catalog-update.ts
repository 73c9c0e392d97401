import type { AuditAction } from "../../contract/pos/audit-trail.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import { type Clock, pause } from "../../lib/clock.ts";
import type { Unit } from "../../lib/money.ts";
import { type CatalogInput, checkCatalog } from "./catalog-check.ts";
import { compareCatalogs, type SectionReport, type SectionReports } from "./catalog-compare.ts";
import { type CatalogContent, emptyContent, type Section, sectionOf } from "./catalog-content.ts";
import { readBrand, readOffer, readPromo } from "./catalog-items.ts";
import { type Check, compileChecks, type Fault } from "./catalog-schema.ts";
import {
  findCatalogVersion,
  listBrandTexts,
  listOfferTexts,
  listPromoTexts,
  readStoredCatalog,
} from "./catalog-store.ts";
import { writeCatalogChange } from "./catalog-writes.ts";

export interface CatalogReport {
  /** The version in use afterwards; 0 when there is none. It moves only when something changed. */
  version: number;
  changed: boolean;
  /** The sections that the new catalog had. */
  sections: SectionReports;
}

/** A new catalog is not used: it has faults. Nothing was changed. */
export class CatalogRefused extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`The catalog has ${faults.length} faults.`);
    this.faults = faults;
  }
}

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  /** The currency of the account's wallet, in which catalogs state cost and price. */
  readWalletUnit(db: Db | Tx, accountId: string): Promise<Unit>;
  /** Enters the action in the audit trail. */
  recordAudit(tx: Tx, action: CatalogAction): Promise<void>;
}

interface CatalogAction {
  accountId: string;
  staffId: string | undefined;
  action: AuditAction;
  subject: string;
  detail: Record<string, string | number>;
  at: number;
}

/** Where a new catalog comes from: a file's name or a provider's, and who took it in. */
export interface CatalogOrigin {
  source: string;
  /** The action, in the audit trail. */
  action: AuditAction;
  staffId?: string;
  /** Throws where nobody wants it any more; asked in the transaction that writes it. */
  requireWanted?(tx: Tx): Promise<void>;
}

/** Replaces catalogs, and gives them out whole. */
export class CatalogUpdateService {
  readonly #deps: Deps;
  #checks: Record<Section, Check> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Replaces each section that is there, all or nothing: checked and compared first, then written in
   * one short transaction. What is the same keeps its row. Past purchases have a copy of their own.
   * @throws CatalogRefused
   */
  async replace(scope: Scope, input: CatalogInput, origin: CatalogOrigin): Promise<CatalogReport> {
    const { db, transactor, clock, recordAudit } = this.#deps;
    const wallet = await this.#deps.readWalletUnit(db, scope.accountId);
    this.#checks ??= compileChecks();
    for (;;) {
      const stored = await readStoredCatalog(db, scope);
      const { checked, faults } = await checkCatalog(input, {
        checks: this.#checks,
        wallet,
        stored,
      });
      if (faults.length > 0) throw new CatalogRefused(faults);
      const { change, sections } = compareCatalogs(checked, stored);
      const totals = totalsOf(sections);
      const base = stored.version;
      if (totals.added + totals.changed + totals.removed === 0) {
        return { version: base ?? 0, changed: false, sections };
      }
      const at = clock.now();
      const version = await transactor.transact(async (tx) => {
        const { source, action, staffId } = origin;
        await origin.requireWanted?.(tx);
        const written = await writeCatalogChange(tx, scope, { base, change, source, at });
        if (written === undefined) return undefined;
        await recordAudit(tx, {
          accountId: scope.accountId,
          staffId,
          action,
          subject: source,
          detail: { environment: scope.environment, version: written, ...totals },
          at,
        });
        return written;
      });
      // Another import came in between: this one is compared with its catalog.
      if (version !== undefined) return { version, changed: true, sections };
    }
  }

  /** The whole catalog as it is stated: every section by id, fields in the contract's order. */
  async read(scope: Scope): Promise<CatalogContent> {
    const { db } = this.#deps;
    for (;;) {
      const version = await findCatalogVersion(db, scope);
      const content: CatalogContent = {
        ...emptyContent(),
        brands: (await listBrandTexts(db, scope)).map(readBrand),
        promos: (await listPromoTexts(db, scope)).map(readPromo),
      };
      for await (const page of listOfferTexts(db, scope)) {
        for (const row of page) {
          (content[sectionOf(row.productType)] as Offer[]).push(readOffer(row));
        }
        await pause();
      }
      // Read in pages, it is whole only when nobody replaced it meanwhile.
      if ((await findCatalogVersion(db, scope)) === version) return content;
    }
  }
}

function totalsOf(sections: SectionReports): { added: number; changed: number; removed: number } {
  const reports = Object.values(sections);
  const sum = (name: keyof SectionReport) =>
    reports.reduce((total, report) => total + report[name], 0);
  return { added: sum("added"), changed: sum("changed"), removed: sum("removed") };
}
