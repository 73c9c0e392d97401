import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type {
  PriceListInput,
  PriceListState,
  PriceUndoInput,
  PriceVersions,
} from "../../../contract/pos/price-lists.ts";
import {
  findClashes,
  type PriceList,
  type PriceRounding,
  type PriceRule,
  periodOf,
  type StoredPriceList,
} from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { Exact } from "../../../lib/money.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import {
  addVersion,
  findInForce,
  findList,
  findNewest,
  listVersionRows,
  type NewVersion,
  readLosses,
} from "./price-list-store.ts";
import type { PriceReader } from "./price-reader.ts";

interface PriceListServiceDeps extends Pick<Base, "db" | "transactor" | "clock"> {
  prices: PriceReader;
}

export interface PriceAuthor extends ScopedAuthor {
  mayLose: boolean;
}

/** Notifies the tills when a rule starts or ends. */
export const PRICES_CHANGE_JOB = "prices.change";

/** The price list of an environment, and its versions (rules#price-versions). */
export class PriceListService {
  readonly #deps: PriceListServiceDeps;

  constructor(deps: PriceListServiceDeps) {
    this.#deps = deps;
  }

  async get({ accountId, environment }: Scope): Promise<PriceListState> {
    const { db, clock, prices } = this.#deps;
    const scope = { accountId, environment };
    return readSnapshot(db, async (snapshot) => {
      const newest = await findNewest(snapshot, scope);
      const now = await prices.read(snapshot, scope, clock.now());
      const { planned } = await findInForce(snapshot, scope, clock.now());
      const losses = await readLosses(snapshot, scope);
      const { currency, currencyDivisor } = now.terms;
      return {
        environment,
        currency,
        currencyDivisor,
        newest: newest.version,
        list: await getList(snapshot, scope, newest.version),
        inForce: now.version,
        planned: planned.map(({ version, startsAt }) => ({
          version,
          startsAt: toTimestamp(startsAt),
        })),
        ...(Number.isFinite(now.until) && { until: toTimestamp(now.until) }),
        losses: [...losses]
          .filter(([, lost]) => Number.isFinite(lost))
          .map(([ruleId, lost]) => ({ ruleId, lost })),
      };
    });
  }

  async listVersions(
    scope: Scope,
    page: { limit: number; offset: number },
  ): Promise<PriceVersions> {
    const rows = await listVersionRows(this.#deps.db, scope, page);
    const { version: total } = await findNewest(this.#deps.db, scope);
    return {
      ...page,
      total,
      list: rows.map((row) => ({
        version: row.version,
        startsAt: toTimestamp(row.starts_at),
        savedAt: toTimestamp(row.saved_at),
        ...(row.staff_id !== null && { staff: { staffId: row.staff_id, name: row.name ?? "" } }),
        note: row.note,
        rules: row.rules,
      })),
    };
  }

  /** @throws Problem NOT_FOUND */
  async getVersion(scope: Scope, version: number) {
    return { version, list: await getList(this.#deps.db, scope, version) };
  }

  /**
   * Saves a new version, and withdraws versions that have not started.
   * @throws Problem INVALID_REQUEST naming the fields of the list, PRICE_LIST_CHANGED if another
   * version was saved after `base`, FORBIDDEN for a loss that the author may not allow
   */
  async save(author: PriceAuthor, input: PriceListInput): Promise<PriceListState> {
    const at = this.#deps.clock.now();
    const startsAt = input.startsAt === undefined ? at : Date.parse(input.startsAt);
    if (startsAt < at) {
      throw new Problem("INVALID_REQUEST", "A price list cannot start in the past.", {
        startsAt: "must be later than now",
      });
    }
    await this.#deps.transactor.transact(author.accountId, (tx) =>
      this.saveIn(tx, author, input, startsAt),
    );
    return this.get(author);
  }

  /**
   * Like `save`, within the caller's transaction.
   * @param startsAt milliseconds
   */
  async saveIn(
    tx: Tx,
    author: PriceAuthor,
    { list: typed, base, note = "" }: Pick<PriceListInput, "list" | "base" | "note">,
    startsAt = this.#deps.clock.now(),
  ): Promise<void> {
    requireValidList(typed);
    const at = this.#deps.clock.now();
    const before = await getList(tx, author, await requireBase(tx, author, base));
    const version = base + 1;
    const list = toStored(typed, { before, version });
    if (!author.mayLose) requireNoNewLoss(list, before);
    await this.#write(tx, author, { version, startsAt, list, note, at }, "prices.save");
  }

  /**
   * Saves an earlier version as a new version, by default the previous version.
   * @throws Problem PRICE_LIST_CHANGED, NOT_FOUND if there is no such version, FORBIDDEN like
   * `save`
   */
  async undo(
    author: PriceAuthor,
    { base, to = base - 1 }: PriceUndoInput,
  ): Promise<PriceListState> {
    const at = this.#deps.clock.now();
    await this.#deps.transactor.transact(author.accountId, async (tx) => {
      const newest = await requireBase(tx, author, base);
      const list = await getList(tx, author, to);
      if (!author.mayLose) requireNoNewLoss(list, await getList(tx, author, newest));
      const version = newest + 1;
      const note = `${to}`;
      await this.#write(tx, author, { version, startsAt: at, list, note, at }, "prices.undo");
    });
    return this.get(author);
  }

  /** Notifies the tills, and schedules the next notification. */
  async announceChange(subject: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const scope = parseSubject(subject);
    await transactor.transact(scope.accountId, async (tx) => {
      await recordChange(tx, scope, {
        topic: "catalog",
        subject: scope.accountId,
        at: clock.now(),
      });
      await this.#scheduleChange(tx, scope);
    });
  }

  async #write(
    tx: Tx,
    author: ScopedAuthor,
    of: Omit<NewVersion, "savedAt" | "staffId"> & { at: number },
    action: "prices.save" | "prices.undo",
  ): Promise<void> {
    const { accountId, environment, staffId } = author;
    const { at, version, startsAt, list, note } = of;
    const scope = { accountId, environment };
    await addVersion(tx, scope, { ...of, savedAt: at, staffId });
    const detail = {
      environment,
      version,
      rules: list.rules.length,
      ...(startsAt > at && { startsAt: toTimestamp(startsAt) }),
      ...(note !== "" && { note }),
    };
    await recordAudit(tx, { accountId, staffId, action, subject: accountId, detail, at });
    await recordChange(tx, scope, { topic: "catalog", subject: accountId, at });
    await this.#scheduleChange(tx, scope);
  }

  async #scheduleChange(tx: Tx, scope: Scope): Promise<void> {
    const { clock, prices } = this.#deps;
    const { until } = await prices.read(tx, scope, clock.now());
    if (!Number.isFinite(until)) return;
    await enqueueJob(tx, { kind: PRICES_CHANGE_JOB, subject: toSubject(scope), runAt: until });
  }
}

function toSubject({ accountId, environment }: Scope): string {
  return `${environment}/${accountId}`;
}

function parseSubject(subject: string): Scope {
  const [environment, accountId = ""] = subject.split("/");
  return { accountId, environment: environment === "live" ? "live" : "test" };
}

/** @throws Problem PRICE_LIST_CHANGED */
async function requireBase(tx: Tx, scope: Scope, base: number): Promise<number> {
  const { version } = await findNewest(tx, scope);
  if (version === base) return version;
  throw new Problem(
    "PRICE_LIST_CHANGED",
    "The price list was changed meanwhile: look at it again.",
    {
      base: `must be ${version}`,
    },
  );
}

/** @throws Problem NOT_FOUND */
async function getList(db: Db | Tx, scope: Scope, version: number): Promise<StoredPriceList> {
  const list = version < 0 ? undefined : await findList(db, scope, version);
  if (!list) throw new Problem("NOT_FOUND", `There is no version ${version} of the price list.`);
  return list;
}

export function toStored(
  list: PriceList,
  { before, version }: { before: StoredPriceList; version: number },
): StoredPriceList {
  const known = new Map(
    before.rules.map(({ since, ...rule }) => [rule.ruleId, { since, digest: digestOf(rule) }]),
  );
  return {
    ...list,
    floor: list.floor ?? { aboveCostPercent: "0" },
    rules: list.rules.map((rule) => {
      const same = known.get(rule.ruleId);
      return { ...rule, since: same?.digest === digestOf(rule) ? same.since : version };
    }),
  };
}

type Faults = Record<string, string>;

/**
 * Makes the checks that the schema cannot express (rules#price-list-checked).
 * @throws Problem INVALID_REQUEST naming each invalid field below `list`
 */
export function requireValidList(list: PriceList): void {
  const faults: Faults = {};
  const seen = new Set<string>();
  for (const [index, rule] of list.rules.entries()) {
    const path = `list.rules.${index}`;
    for (const [field, fault] of Object.entries(checkRule(rule))) {
      faults[`${path}.${field}`] = fault;
    }
    if (seen.has(rule.ruleId)) faults[`${path}.ruleId`] = "is another rule's too";
    seen.add(rule.ruleId);
  }
  Object.assign(faults, checkSettings(list));
  if (Object.keys(faults).length === 0) Object.assign(faults, checkClashes(list.rules));
  const names = Object.keys(faults);
  if (names.length === 0) return;
  throw new Problem("INVALID_REQUEST", `The price list cannot be: ${names.join(", ")}.`, faults);
}

/**
 * Requires that a list allows no loss that the previous list did not allow.
 * @throws Problem FORBIDDEN naming the permission
 */
function requireNoNewLoss(list: StoredPriceList, before: StoredPriceList): void {
  const allowed = new Set(losingRules(before));
  const isLower =
    before.floor !== undefined &&
    new Exact(list.floor?.aboveCostPercent ?? "-100").lt(before.floor.aboveCostPercent);
  if (!isLower && losingRules(list).every((rule) => allowed.has(rule))) return;
  const text = "Only an owner allows sales below cost.";
  throw new Problem("FORBIDDEN", text, { right: "belowCost" });
}

function losingRules({ rules }: StoredPriceList): string[] {
  return rules
    .filter(({ belowCost }) => belowCost !== undefined)
    .map(({ since: _since, ...rule }) => digestOf(rule));
}

function checkRule(rule: PriceRule): Faults {
  const { from, until } = periodOf(rule);
  const { minProfit, maxProfit, belowCost, rounding } = rule;
  const byPercent = rule.how === "MARKUP" || rule.how === "MARGIN";
  return pick({
    percent: byPercent ? checkPercent(rule) : barred(rule.percent, rule.how),
    amount: byPercent ? barred(rule.amount, rule.how) : checkAmount(rule),
    basis: rule.how === "MARGIN" && rule.basis !== "COST" ? "must be COST for a MARGIN" : undefined,
    minProfit: rule.how === "SET" ? barred(minProfit, "SET") : undefined,
    maxProfit: rule.how === "SET" ? barred(maxProfit, "SET") : checkProfitLimits(rule),
    until: from < until ? undefined : "must be after from",
    "belowCost.budget":
      belowCost && belowCost.budget < belowCost.maxLossPerSale
        ? "must be at least one sale's maxLossPerSale"
        : undefined,
    rounding: rounding && checkRounding(rounding),
  });
}

function checkPercent({ how, percent }: PriceRule): string | undefined {
  if (percent === undefined) return `is required for ${how}`;
  const value = new Exact(percent);
  if (how === "MARGIN") {
    return value.gte(0) && value.lt(100) ? undefined : "must be at least 0 and under 100";
  }
  return value.gt(-100) ? undefined : "must be over -100";
}

function checkAmount({ how, amount }: PriceRule): string | undefined {
  if (amount === undefined) return `is required for ${how}`;
  return how === "SET" && amount < 0 ? "must not be less than 0" : undefined;
}

function checkProfitLimits({ minProfit = 0, maxProfit = Infinity }: PriceRule): string | undefined {
  return maxProfit < minProfit ? "must not be less than minProfit" : undefined;
}

function barred(value: unknown, how: string): string | undefined {
  return value === undefined ? undefined : `must be left out for ${how}`;
}

/** Requires bands in ascending order, of which the last has no end. */
function checkRounding({ bands }: PriceRounding): string | undefined {
  if (bands.some(({ step, offset }) => offset >= step)) return "has an offset of a step or more";
  const highs = bands.map(({ below }) => below ?? Infinity);
  if (highs.at(-1) !== Infinity) return "must have a last band without an end";
  const isRising = highs.every((high, index) => high > (highs[index - 1] ?? 0));
  return isRising ? undefined : "must have bands that end after each other";
}

function checkSettings(list: PriceList): Faults {
  const notNegative = (percent: string) =>
    new Exact(percent).lt(0) ? "must not be less than 0" : undefined;
  const taxes = Object.entries(list.taxes).map(
    ([family, { percent }]): [string, string | undefined] => [
      `list.taxes.${family}.percent`,
      notNegative(percent),
    ],
  );
  return pick({
    "list.rounding": list.rounding && checkRounding(list.rounding),
    "list.floor.aboveCostPercent": list.floor && notNegative(list.floor.aboveCostPercent),
    "list.fxBufferPercent": notNegative(list.fxBufferPercent),
    "list.driftAlertPercent": notNegative(list.driftAlertPercent),
    ...Object.fromEntries(taxes),
  });
}

/** Names both rules of each pair whose order is undecided. */
function checkClashes(rules: readonly PriceRule[]): Faults {
  const faults: Faults = {};
  for (const [first, second] of findClashes(rules)) {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { ruleId = "", from = "ever", until = "ever", note = "" } = rules[other] ?? {};
      const named = note === "" ? ruleId : `${ruleId} (${note})`;
      faults[`list.rules.${one}`] = `is for the same as ${named}, from ${from} until ${until}`;
    }
  }
  return faults;
}

function pick(faults: Record<string, string | undefined>): Faults {
  const found = Object.entries(faults).filter((entry): entry is [string, string] => !!entry[1]);
  return Object.fromEntries(found);
}
