import { rename, rm, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type { FigureMoney } from "../../../contract/pos/figures.ts";
import { formatMoney, shopLocale } from "../../../contract/pos/money-text.ts";
import type { Language } from "../../../contract/pos/setup.ts";
import {
  calendarOf,
  type DayClock,
  dateOf,
  offsetOf,
  type TimeZone,
} from "../../../contract/pos/shop-day.ts";
import {
  FORMATS_OF,
  type Schedule,
  type ScheduleInput,
  type ShopReport,
  timesOf,
} from "../../../contract/pos/shop-reports.ts";
import { Problem, refuseFields } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { DAY, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { MailService } from "../../messages/mail/index.ts";
import { listOpenShifts } from "../../selling/shifts/index.ts";
import { staffNames } from "../../shop/staff/index.ts";
import words from "./report-mail-words.json" with { type: "json" };
import { downloadName, type ReportDeps, type ShopReportService } from "./shop-report-service.ts";
import {
  deleteSchedule,
  findLastScheduled,
  findSchedule,
  findShopReport,
  listScheduleRows,
  type StoredSchedule,
  type StoredShopReport,
  writeSchedule,
} from "./shop-report-store.ts";

/**
 * A sending time before this local time belongs to the previous day, for shops that are open past
 * midnight.
 */
const EARLY = "06:00";
const MONDAY_OFFSET = 3;

export const SCHEDULE_JOB = "report-schedule.look";
/** Interval of checks of a schedule that sends after the day's last Z report. */
const LOOK_EVERY_MS = 5 * MINUTE;

interface ScheduleServiceDeps extends ReportDeps {
  reports: Pick<ShopReportService, "add" | "get">;
}

/**
 * Creates and sends reports on a schedule (rules#figure-schedules). No period is sent twice. Of
 * periods that ended while the machine was off, only the latest is sent.
 */
export class ScheduleService {
  readonly #deps: ScheduleServiceDeps;

  constructor(deps: ScheduleServiceDeps) {
    this.#deps = deps;
  }

  async list({ accountId, environment }: Scope): Promise<Schedule[]> {
    const schedules = await listScheduleRows(this.#deps.db, { accountId, environment });
    return Promise.all(schedules.map((schedule) => this.#view(schedule)));
  }

  /** @throws Problem INVALID_REQUEST naming the field */
  async save(author: ScopedAuthor, scheduleId: string, input: ScheduleInput): Promise<Schedule> {
    requireValidSchedule(input);
    const { db, transactor, clock, shop } = this.#deps;
    const { accountId, environment } = author;
    const ref = { accountId, environment, scheduleId };
    const day = await shop.get(accountId);
    const moment = { at: clock.now(), day };
    await transactor.transact(accountId, (tx) =>
      this.saveIn(tx, author, { scheduleId, input }, moment),
    );
    const saved = await findSchedule(db, ref);
    if (!saved) throw new Error(`the saved schedule ${scheduleId} is missing`);
    return this.#view(saved);
  }

  async saveIn(
    tx: Tx,
    { accountId, environment, staffId }: ScopedAuthor,
    { scheduleId, input }: { scheduleId: string; input: ScheduleInput },
    { at, day }: { at: number; day: DayClock },
  ): Promise<void> {
    const ref = { accountId, environment, scheduleId };
    const before = await findSchedule(tx, ref);
    // A new schedule sends nothing for earlier periods.
    const done = dateText(dueSpan(input, at, day).last);
    const isSame = before?.input.when === input.when && before.input.at === input.at;
    const lastDay = isSame ? before.lastDay : done;
    const planned = { ...ref, input, lastDay, fault: undefined, nextAt: undefined };
    await this.#schedule(tx, planned, at, day);
    const { name, kind, format, when } = input;
    const detail = { environment, name, kind, format, when, to: input.recipients.join(", ") };
    const entry = { accountId, staffId, subject: scheduleId, detail, at };
    await recordAudit(tx, { ...entry, action: "report.schedule" });
  }

  /** @throws Problem NOT_FOUND */
  async remove(author: ScopedAuthor, scheduleId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const { accountId, environment, staffId } = author;
    const ref = { accountId, environment, scheduleId };
    await transactor.transact(accountId, async (tx) => {
      const schedule = await findSchedule(tx, ref);
      if (!schedule) throw notThere();
      await deleteSchedule(tx, ref);
      await cancelJob(tx, SCHEDULE_JOB, encodeSubject(ref, scheduleId));
      const detail = { environment, name: schedule.input.name };
      const entry = { accountId, staffId, subject: scheduleId, detail, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "report.unschedule" });
    });
  }

  /**
   * Sends the latest finished period, even if it was sent before.
   * @throws Problem NOT_FOUND
   */
  async runNow(author: ScopedAuthor, scheduleId: string): Promise<ShopReport> {
    const { db, transactor, clock, shop } = this.#deps;
    const { accountId, environment, staffId } = author;
    const schedule = await findSchedule(db, { accountId, environment, scheduleId });
    if (!schedule) throw notThere();
    const day = await shop.get(accountId);
    const today = dateOf(clock.now(), day);
    const isOfToday = schedule.input.when === "AFTER_LAST_Z";
    const span = isOfToday
      ? { first: today, last: today }
      : dueSpan(schedule.input, clock.now(), day);
    const { name, kind, format, recipients } = schedule.input;
    const reportId = await transactor.transact(accountId, async (tx) => {
      const requested = await this.#requestReport(tx, schedule, span);
      const detail = { environment, name, kind, format, to: recipients.join(", ") };
      const entry = { accountId, staffId, subject: requested, detail, at: clock.now() };
      await recordAudit(tx, { ...entry, action: "report.request" });
      return requested;
    });
    return this.#deps.reports.get({ accountId, environment }, reportId);
  }

  async runDue(subject: string): Promise<void> {
    const { db, transactor, clock, shop } = this.#deps;
    const { scope, id: scheduleId } = decodeSubject(subject);
    const schedule = await findSchedule(db, { ...scope, scheduleId });
    if (!schedule?.input.enabled) return;
    const day = await shop.get(scope.accountId);
    const now = clock.now();
    const span = (await this.#findEndedDay(schedule, day)) ?? dueSpan(schedule.input, now, day);
    const last = dateText(span.last);
    const isDue = schedule.lastDay === undefined || schedule.lastDay < last;
    await transactor.transact(scope.accountId, async (tx) => {
      if (isDue) await this.#requestReport(tx, schedule, span);
      await this.#schedule(tx, isDue ? { ...schedule, lastDay: last } : schedule, now, day);
    });
  }

  /** Returns today if its last shift was closed and no shift is open. */
  async #findEndedDay(schedule: StoredSchedule, day: DayClock): Promise<DaySpan | undefined> {
    if (schedule.input.when !== "AFTER_LAST_Z") return undefined;
    const { db, clock } = this.#deps;
    const { accountId, environment } = schedule;
    const today = dateOf(clock.now(), day);
    const open = await listOpenShifts(db, { accountId, environment });
    if (open.length > 0) return undefined;
    const closed = await db
      .selectFrom("z_reports")
      .select("closed_at")
      .where("account_id", "=", accountId)
      .where("environment", "=", environment)
      .orderBy("z_number", "desc")
      .limit(1)
      .executeTakeFirst();
    const isToday = closed !== undefined && dateOf(closed.closed_at, day) === today;
    return isToday ? { first: today, last: today } : undefined;
  }

  async #requestReport(tx: Tx, schedule: StoredSchedule, span: DaySpan): Promise<string> {
    const { accountId, environment, scheduleId, input } = schedule;
    const reportId = this.#deps.ids.uuid();
    await this.#deps.reports.add(tx, {
      accountId,
      environment,
      reportId,
      scheduleId,
      kind: input.kind,
      format: input.format,
      language: input.language,
      firstDay: dateText(span.first),
      lastDay: dateText(span.last),
    });
    return reportId;
  }

  async #schedule(tx: Tx, schedule: StoredSchedule, now: number, day: DayClock): Promise<void> {
    const { scheduleId, input } = schedule;
    const subject = encodeSubject(schedule, scheduleId);
    if (!input.enabled) {
      await cancelJob(tx, SCHEDULE_JOB, subject);
      await writeSchedule(tx, { ...schedule, nextAt: undefined });
      return;
    }
    const next = nextMoment(input, now, day);
    const runAt = input.when === "AFTER_LAST_Z" ? Math.min(next, now + LOOK_EVERY_MS) : next;
    await enqueueJob(tx, { kind: SCHEDULE_JOB, subject, runAt });
    await writeSchedule(tx, { ...schedule, nextAt: next });
  }

  async #view(schedule: StoredSchedule): Promise<Schedule> {
    const { scheduleId, environment, input, nextAt, fault } = schedule;
    const last = await findLastScheduled(this.#deps.db, schedule, scheduleId);
    return {
      scheduleId,
      environment,
      ...input,
      ...(nextAt !== undefined && { nextAt: toTimestamp(nextAt) }),
      ...(last && {
        last: { reportId: last.reportId, state: last.state, at: toTimestamp(last.createdAt) },
      }),
      ...(fault !== undefined && { fault }),
    };
  }
}

/** @throws Problem INVALID_REQUEST naming the field */
function requireValidSchedule({ kind, format, when, folder, recipients }: ScheduleInput): void {
  const fields: Record<string, string> = {};
  if (!FORMATS_OF[kind].includes(format)) fields.format = `must be one of ${FORMATS_OF[kind]}`;
  if (!timesOf(kind).includes(when)) fields.when = `must be one of ${timesOf(kind)} for ${kind}`;
  if (folder !== "" && !isAbsolute(folder)) fields.folder = "must be the whole path of a folder";
  if (folder === "" && recipients.length === 0) {
    fields.recipients = "must name somebody, or folder a place";
  }
  refuseFields("The schedule is", fields);
}

function dateText(date: number): string {
  return new Date(date * DAY).toISOString().slice(0, 10);
}

function notThere(): Problem {
  return new Problem("NOT_FOUND", "There is no such schedule.");
}

type ScheduleTimes = Pick<ScheduleInput, "when" | "at">;

/** A range of days since 1970-01-01, both ends inclusive. */
interface DaySpan {
  first: number;
  last: number;
}

/**
 * Returns the instant of a local time. If the time occurs twice, returns the first instant. A time
 * that a clock change skips is shifted forward.
 */
export function toInstant(date: number, time: string, timeZone: TimeZone): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const shown = date * DAY + (hours * 60 + minutes) * MINUTE;
  const moments = [-DAY, DAY].map((near) => shown - offsetOf(shown + near, timeZone));
  const right = moments.filter((moment) => moment + offsetOf(moment, timeZone) === shown);
  return right.length > 0 ? Math.min(...right) : Math.max(...moments);
}

/**
 * Returns the latest due period. For AFTER_LAST_Z, this is the day whose latest sending time has
 * passed.
 */
export function dueSpan({ when, at }: ScheduleTimes, now: number, day: DayClock): DaySpan {
  const today = dateOf(now, calendarOf(day.timeZone));
  const shown = toInstant(today, at, day.timeZone) <= now ? today : today - 1;
  // The due period ends before the shop's day that contains the sending time.
  const date = dateOf(toInstant(shown, at, day.timeZone), day);
  switch (when) {
    case "AFTER_LAST_Z": {
      const ended = at < EARLY ? shown - 1 : shown;
      return { first: ended, last: ended };
    }
    case "DAILY":
      return { first: date - 1, last: date - 1 };
    case "WEEKLY": {
      const monday = date - ((date + MONDAY_OFFSET) % 7);
      return { first: monday - 7, last: monday - 1 };
    }
    case "MONTHLY": {
      const start = monthStart(date, 0);
      return { first: monthStart(date, -1), last: start - 1 };
    }
  }
}

export function nextMoment(times: ScheduleTimes, now: number, day: DayClock): number {
  const { last } = dueSpan(times, now, day);
  const today = dateOf(now, calendarOf(day.timeZone));
  for (let date = today; date <= today + 32; date++) {
    const moment = toInstant(date, times.at, day.timeZone);
    if (moment > now && dueSpan(times, moment, day).last > last) return moment;
  }
  throw new Error("the schedule has no next time");
}

function monthStart(date: number, months: number): number {
  const day = new Date(date * DAY);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1) / DAY;
}

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
  const locale = shopLocale(language, currency);
  const amount = (minor: number) => formatMoney(minor, currency, money.currencyDivisor, { locale });
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
