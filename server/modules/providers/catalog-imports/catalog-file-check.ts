import type { CatalogDifference } from "../../../contract/pos/upstream.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Unit } from "../../../lib/money.ts";
import {
  CatalogFileFault,
  CatalogRefused,
  compareByStored,
  describeDifference,
  type PlacedFault,
  packCatalog,
  readCatalogFile,
} from "../../catalog/catalog/index.ts";

export interface CatalogFileToCheck {
  bytes: Uint8Array;
  scope: Scope;
  /** The wallet's currency, in which catalogs state cost and price. */
  wallet: Unit;
  /** The shop's country; empty if unknown. */
  country: string;
  faultsNamed: number;
}

export type CheckedFile =
  | { faults: PlacedFault[]; faultCount: number }
  | { baseVersion: number; difference: CatalogDifference; content: Uint8Array };

export interface CheckThread {
  run(
    task: "checkCatalogFile",
    order: CatalogFileToCheck & { database: string },
    options: { signal: AbortSignal },
  ): Promise<CheckedFile>;
}

export async function checkCatalogFile(
  db: Db,
  { bytes, scope, wallet, country, faultsNamed }: CatalogFileToCheck,
): Promise<CheckedFile> {
  try {
    const file = readCatalogFile(bytes);
    try {
      const compared = await compareByStored(db, wallet, scope, file.input);
      const described = describeDifference(compared, file.input, { country });
      return {
        baseVersion: compared.version,
        difference: { ...described, leftOut: [], leftOutCount: 0 },
        content: await packCatalog(file.input),
      };
    } catch (error) {
      if (!(error instanceof CatalogRefused)) throw error;
      const { faults } = error;
      return { faults: file.place(faults, faultsNamed), faultCount: faults.length };
    }
  } catch (error) {
    if (!(error instanceof CatalogFileFault)) throw error;
    return { faults: error.faults.slice(0, faultsNamed), faultCount: error.total };
  }
}
