import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import type {
  PriceListInput,
  PriceListState,
  PriceUndoInput,
  PriceVersions,
} from "../../../contract/pos/price-lists.ts";
import type { PriceList, StoredPriceList } from "../../../contract/pos/prices.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import { type Db, readSnapshot, type Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { digestOf } from "../../../lib/digest.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { requireNoNewLoss, requireValidList } from "./price-list-check.ts";
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

interface PriceListServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
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
