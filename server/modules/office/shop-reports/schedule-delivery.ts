import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FigureMoney } from "../../../contract/pos/figures.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import { trueMinus } from "../../../contract/pos/true-minus.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { DAY } from "../../../lib/clock.ts";
import type { MailService } from "../../messages/mail/index.ts";
import { listOpenShifts } from "../../selling/shifts/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import words from "./report-mail-words.json" with { type: "json" };
import { findSchedule, type StoredSchedule, writeSchedule } from "./schedule-store.ts";
import { downloadName, type ReportDeps } from "./shop-report-service.ts";
import { findShopReport, type StoredShopReport } from "./shop-report-store.ts";

export const COPY_JOB = "report-schedule.copy";

const GIVE_UP_COPY_AFTER_MS = DAY;

interface ScheduleDeliveryDeps extends ReportDeps {
  mail: MailService;
}

export class ScheduleDelivery {
  readonly #deps: ScheduleDeliveryDeps;

  constructor(deps: ScheduleDeliveryDeps) {
    this.#deps = deps;
  }

  /**
   * Prepares the writes that follow a scheduled report. Reads the data before the transaction that
   * ends the report; the returned function writes within this transaction.
   */
  async prepare(report: StoredShopReport): Promise<(tx: Tx) => Promise<void>> {
    const { accountId, environment, scheduleId, firstDay, lastDay } = report;
    if (scheduleId === undefined) return async () => {};
    const { db, shop, mail, clock, figureMoney } = this.#deps;
    const schedule = await findSchedule(db, { accountId, environment, scheduleId });
    if (!schedule) return async () => {};
    const { input } = schedule;
    const { name: shopName } = await shop.get(accountId);
    const money = await figureMoney.view({ accountId, environment }, { firstDay, lastDay });
    const text = composeMail({
      language: input.language,
      shopName,
      scheduleName: input.name,
      report,
      money,
      stillOpen: input.when === "AFTER_LAST_Z" ? await this.#openNames(report) : [],
    });
    return async (tx) => {
      if (input.recipients.length > 0) {
        await mail.write(tx, {
          accountId,
          recipients: input.recipients,
          ...text,
          ...(report.fileName !== undefined && {
            file: { fileName: report.fileName, name: downloadName(report, shopName) },
          }),
        });
      }
      if (input.folder === "" || report.fileName === undefined) return;
      const subject = encodeSubject(report, report.reportId);
      await enqueueJob(tx, { kind: COPY_JOB, subject, runAt: clock.now() });
    };
  }

  async #openNames({ accountId, environment }: Scope): Promise<string[]> {
    const { db } = this.#deps;
    const open = await listOpenShifts(db, { accountId, environment });
    const names = await staffNames(
      db,
      accountId,
      open.map(({ staff_id }) => staff_id),
    );
    return [...new Set(names.values())];
  }

  /** A repeated copy overwrites the same file. */
  async copy(subject: string): Promise<void> {
    const { db, reportFiles, clock, shop } = this.#deps;
    const { scope, id: reportId } = decodeSubject(subject);
    const report = await findShopReport(db, { ...scope, reportId });
    if (report?.fileName === undefined || report.scheduleId === undefined) return;
    const schedule = await findSchedule(db, { ...scope, scheduleId: report.scheduleId });
    if (!schedule || schedule.input.folder === "") return;
    const { name: shopName } = await shop.get(scope.accountId);
    const whole = join(schedule.input.folder, downloadName(report, shopName));
    const part = `${whole}.part`;
    try {
      await requireFolder(schedule.input.folder);
      await reportFiles.copy(report.fileName, part);
      await rename(part, whole);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      await this.#noteFault(schedule, error instanceof Error ? error.message : String(error));
      if (clock.now() - (report.finishedAt ?? 0) < GIVE_UP_COPY_AFTER_MS) throw error;
      return;
    }
    if (schedule.fault !== undefined) await this.#noteFault(schedule, undefined);
  }

  async #noteFault(ref: StoredSchedule, fault: string | undefined): Promise<void> {
    await this.#deps.transactor.transact(ref.accountId, async (tx) => {
      const schedule = await findSchedule(tx, ref);
      if (schedule) await writeSchedule(tx, { ...schedule, fault });
    });
  }
}

/**
 * A missing folder is not created: the folder of an unplugged disk would be created on another
 * disk.
 */
async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new Error(`There is no folder ${folder}. Plug in its disk, or make the folder.`);
}

interface ReportMail {
  language: Language;
  shopName: string;
  scheduleName: string;
  report: StoredShopReport;
  money: FigureMoney;
  stillOpen: readonly string[];
}

function composeMail(mail: ReportMail): { subject: string; body: string } {
  const { language, shopName, scheduleName, report, money, stillOpen } = mail;
  const text = words[language];
  const { currency, figures } = money;
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  const amount = (minor: number) => trueMinus(format.format(minor / money.currencyDivisor));
  const { firstDay, lastDay } = report;
  const days = firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}`;
  const isTest = report.environment === "test" ? ` (${text.test})` : "";
  const lines = [
    `${shopName}${isTest}`,
    `${scheduleName}: ${days} (${money.timeZone})`,
    "",
    `${text.sales}: ${figures.sales}`,
    `${text.sold}: ${amount(figures.sold)}`,
    `${text.tax}: ${amount(figures.tax)}`,
    `${text.earned}: ${amount(figures.earned)}`,
    ...takenBy(money, text).map(([name, minor]) => `${name}: ${amount(minor)}`),
    `${text.cashRounding}: ${amount(figures.cashRounding)}`,
    `${text.owed}: ${amount(figures.owed)}`,
    ...(stillOpen.length > 0 ? ["", `${text.stillOpen}: ${stillOpen.join(", ")}`] : []),
    ...(report.fault === undefined ? [] : ["", `${text.noFile}: ${report.fault}`]),
  ];
  return { subject: `${shopName}${isTest}: ${scheduleName}, ${days}`, body: lines.join("\n") };
}

/** Returns payments minus refunds by tender. */
function takenBy(
  { byTender, taken, refunded }: FigureMoney,
  words: Record<"cash" | "card" | "other", string>,
): [name: string, minor: number][] {
  const kinds = [
    ["CASH", "cash"],
    ["CARD", "card"],
    ["OTHER", "other"],
  ] as const;
  return kinds.flatMap(([kind, sum]): [string, number][] => {
    const each = byTender.filter((tender) => tender.kind === kind);
    return each.length > 0
      ? each.map((tender) => [tender.name ?? words[sum], tender.taken - tender.refunded])
      : [[words[sum], taken[sum] - refunded[sum]]];
  });
}
