import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { placeOfDatabase } from "../../../db/database-place.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import type { BrandNames, FigureReader } from "../figures/index.ts";
import type { DayPdfOrder } from "./day-pdf/day-pdf.ts";
import { findSchedule } from "./schedule-store.ts";
import type { StoredShopReport } from "./shop-report-store.ts";

export interface DayPdfThread {
  run(task: "writeDayPdf", order: DayPdfOrder & { database: string }): Promise<void>;
}

export interface DayMakerDeps {
  db: Db;
  clock: Clock;
  shop: ShopService;
  catalog: BrandNames;
  figureReader: FigureReader;
  background: DayPdfThread;
  config: { dataDir: string; database?: string | undefined; resourcesDir: string };
}

/** Writes a day's document on a worker thread (rules#figure-day-document). */
export class DayMaker {
  readonly #deps: DayMakerDeps;

  constructor(deps: DayMakerDeps) {
    this.#deps = deps;
  }

  async write(report: StoredShopReport, fileName: string): Promise<void> {
    const { background, config, figureReader } = this.#deps;
    const order = {
      database: placeOfDatabase(config),
      ...(await this.#createOrder(report, fileName)),
    };
    try {
      await background.run("writeDayPdf", order);
    } catch (error) {
      if (!isUnsound(error)) throw error;
      // The worker thread is read-only, so this thread recounts damaged sums.
      await figureReader.recount(report, report);
      await background.run("writeDayPdf", order);
    }
  }

  async #createOrder(report: StoredShopReport, fileName: string): Promise<DayPdfOrder> {
    const { clock, shop, catalog, config } = this.#deps;
    const { accountId, environment, firstDay } = report;
    const { brands } = await catalog.getSnapshot(report);
    return {
      dataDir: config.dataDir,
      resourcesDir: config.resourcesDir,
      fileName,
      scope: { accountId, environment },
      day: firstDay,
      language: report.language ?? (await shop.get(accountId)).language,
      now: clock.now(),
      madeBy: await this.#readMaker(report),
      brandNames: Array.from(brands, ([code, { brandName }]) => [code, brandName] as const),
    };
  }

  async #readMaker(report: Scope & Pick<StoredShopReport, "staffId" | "scheduleId">) {
    const { db } = this.#deps;
    const { accountId, environment, staffId, scheduleId } = report;
    if (staffId !== undefined) {
      const names = await staffNames(db, accountId, [staffId]);
      return { kind: "PERSON" as const, name: names.get(staffId) ?? "" };
    }
    const schedule =
      scheduleId === undefined
        ? undefined
        : await findSchedule(db, { accountId, environment, scheduleId });
    return { kind: "SCHEDULE" as const, name: schedule?.input.name ?? "" };
  }
}

/** The error's class is lost during the transfer between threads; its code is not. */
function isUnsound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UNSOUND_SUMS";
}
