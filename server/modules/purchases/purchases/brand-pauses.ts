import type { Selectable } from "kysely";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readOnceInGroup } from "../../../db/group-memory.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject, decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { type Clock, MINUTE } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { subjectOf } from "../../books/transactions/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";
import { windowEnd } from "./retry-policy.ts";

/** Job that sends one purchase of a paused brand. Its subject names the scope and the brand. */
export const PROBE_JOB = "brand.probe";

const FAILURES_BEFORE_PAUSE = 5;
const PROBE_INTERVAL_MS = MINUTE;

export interface BrandRef extends Scope {
  brand: string;
}

/**
 * Circuit breaker of a brand (rules#brand-pause-automatic). After consecutive failures, new
 * purchases wait in PENDING before money is held, and one purchase is sent each minute. The first
 * clear answer resumes all purchases. After a manual pause, no purchase is sent until a person ends
 * the pause.
 */
export interface BrandState {
  brand: string;
  failures: number;
  pausedSince: number | undefined;
  pausedByHand: boolean;
  nextProbeAt: number | undefined;
}

function brandOf({ transaction, offer }: StoredPurchase): BrandRef {
  const { accountId, environment } = transaction;
  return { accountId, environment, brand: offer.brand };
}

function probeSubject(ref: BrandRef): string {
  return encodeSubject(ref, ref.brand);
}

const BRAND_COLUMNS = [
  "brand",
  "failures",
  "paused_since",
  "pause_reason",
  "next_probe_at",
] as const;

type BrandRow = Pick<Selectable<Tables["brand_states"]>, (typeof BRAND_COLUMNS)[number]>;

async function findState(db: Db | Tx, ref: BrandRef): Promise<BrandState | undefined> {
  const { rows } = await readOnceInGroup(db, "brand_states", probeSubject(ref), () =>
    selectState(db, ref),
  );
  const [row] = rows;
  return row && toState(row);
}

/** Reads the brand's state for a later step of the transaction (`readAhead`). */
export async function readBrandAhead(tx: Tx, purchase: StoredPurchase): Promise<void> {
  await findState(tx, brandOf(purchase));
}

const selectState = compileOnce<BrandRef, BrandRow>((db, param) =>
  db
    .selectFrom("brand_states")
    .select(BRAND_COLUMNS)
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .where("brand", "=", param("brand")),
);

async function listStates(db: Db | Tx, scope: Scope): Promise<BrandState[]> {
  const rows = await db
    .selectFrom("brand_states")
    .selectAll()
    .where(inScope(scope))
    .orderBy("brand")
    .execute();
  return rows.map(toState);
}

function toState(row: BrandRow): BrandState {
  return {
    brand: row.brand,
    failures: row.failures,
    pausedSince: row.paused_since ?? undefined,
    pausedByHand: row.pause_reason === "manual",
    nextProbeAt: row.next_probe_at ?? undefined,
  };
}

export async function listPausedBrands(
  db: Db | Tx,
  scope: Scope,
): Promise<(BrandState & { pausedSince: number })[]> {
  const states = await listStates(db, scope);
  return states.flatMap(({ pausedSince, ...state }) =>
    pausedSince === undefined ? [] : { ...state, pausedSince },
  );
}

export async function noteFailure(tx: Tx, purchase: StoredPurchase, now: number): Promise<void> {
  // In training, a number that always fails must not pause the brand.
  if (purchase.transaction.training) return;
  const ref = brandOf(purchase);
  const state = await findState(tx, ref);
  const failures = (state?.failures ?? 0) + 1;
  if (state?.pausedSince !== undefined || failures < FAILURES_BEFORE_PAUSE) {
    return save(tx, ref, { failures });
  }
  const nextProbeAt = now + PROBE_INTERVAL_MS;
  await save(tx, ref, {
    failures,
    paused_since: now,
    pause_reason: "auto",
    next_probe_at: nextProbeAt,
  });
  await enqueueJob(tx, { kind: PROBE_JOB, subject: probeSubject(ref), runAt: nextProbeAt });
  await recordChange(tx, ref, { topic: "provider", subject: ref.brand, at: now });
}

/** Records a clear answer, and resumes waiting purchases unless a person paused the brand. */
export async function noteAnswer(tx: Tx, purchase: StoredPurchase, now: number): Promise<void> {
  const ref = brandOf(purchase);
  const state = await findState(tx, ref);
  if (!state) return;
  if (state.pausedByHand) await save(tx, ref, { failures: 0 });
  else await end(tx, ref, state, now);
}

/**
 * Returns PROBED for one purchase of a paused brand per minute, and schedules the next probe. A
 * purchase whose window has expired is never a probe.
 */
export async function admitToBrand(
  tx: Tx,
  purchase: StoredPurchase,
  now: number,
): Promise<"OPEN" | "PAUSED" | "PROBED"> {
  const ref = brandOf(purchase);
  const state = await findState(tx, ref);
  if (state?.pausedSince === undefined) return "OPEN";
  const isTurn = state.nextProbeAt !== undefined && now >= state.nextProbeAt;
  if (!isTurn || now >= windowEnd(purchase)) return "PAUSED";
  await save(tx, ref, { next_probe_at: now + PROBE_INTERVAL_MS });
  return "PROBED";
}

async function probe(tx: Tx, subject: string, now: number): Promise<void> {
  const { scope, id: brand } = decodeSubject(subject);
  const ref: BrandRef = { ...scope, brand };
  const state = await findState(tx, ref);
  if (state?.nextProbeAt === undefined) return;
  if (state.nextProbeAt <= now) await wakeWaiting(tx, ref, now, 1);
  const runAt = Math.max(state.nextProbeAt, now + PROBE_INTERVAL_MS);
  await enqueueJob(tx, { kind: PROBE_JOB, subject, runAt });
}

/** Pauses the brand, or turns an automatic pause into a manual pause. */
async function pauseByHand(tx: Tx, ref: BrandRef, now: number): Promise<void> {
  const state = await findState(tx, ref);
  await save(tx, ref, {
    failures: state?.failures ?? 0,
    paused_since: state?.pausedSince ?? now,
    pause_reason: "manual",
    next_probe_at: null,
  });
  await cancelJob(tx, PROBE_JOB, probeSubject(ref));
  await recordChange(tx, ref, { topic: "provider", subject: ref.brand, at: now });
}

/** @returns false if the brand was not paused */
async function resumeByHand(tx: Tx, ref: BrandRef, now: number): Promise<boolean> {
  const state = await findState(tx, ref);
  if (state?.pausedSince === undefined) return false;
  await end(tx, ref, state, now);
  return true;
}

async function end(tx: Tx, ref: BrandRef, state: BrandState, now: number): Promise<void> {
  await tx.deleteFrom("brand_states").where(inScope(ref)).where("brand", "=", ref.brand).execute();
  if (state.pausedSince === undefined) return;
  await cancelJob(tx, PROBE_JOB, probeSubject(ref));
  await wakeWaiting(tx, ref, now);
  await recordChange(tx, ref, { topic: "provider", subject: ref.brand, at: now });
}

async function wakeWaiting(tx: Tx, ref: BrandRef, now: number, limit?: number): Promise<void> {
  const query = tx
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .select("t.transaction_id")
    .where(inScope(ref, "t"))
    .where("t.status", "=", "PENDING")
    .where("p.brand", "=", ref.brand)
    .orderBy("t.created_at")
    .orderBy("t.transaction_id");
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
  for (const { transaction_id: transactionId } of rows) {
    const subject = subjectOf({ ...ref, transactionId });
    await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt: now });
  }
}

async function save(
  tx: Tx,
  ref: BrandRef,
  state: Partial<{
    failures: number;
    paused_since: number;
    pause_reason: "auto" | "manual";
    next_probe_at: number | null;
  }>,
): Promise<void> {
  const key = { account_id: ref.accountId, environment: ref.environment, brand: ref.brand };
  await tx
    .insertInto("brand_states")
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .updateTable("brand_states")
    .set(state)
    .where(inScope(ref))
    .where("brand", "=", ref.brand)
    .execute();
}

interface BrandPauseDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
}

export class BrandPauseService {
  readonly #deps: BrandPauseDeps;

  constructor(deps: BrandPauseDeps) {
    this.#deps = deps;
  }

  list(scope: Scope): Promise<(BrandState & { pausedSince: number })[]> {
    return listPausedBrands(this.#deps.db, scope);
  }

  /** @throws Problem NOT_FOUND if the brand is not in the catalog */
  async pause({ staffId, ...scope }: ScopedAuthor, brand: string): Promise<void> {
    const { transactor, clock, catalog } = this.#deps;
    const { brands } = await catalog.getSnapshot(scope);
    if (!brands.has(brand)) throw new Problem("NOT_FOUND", `There is no brand ${brand}.`);
    const { accountId, environment } = scope;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      await pauseByHand(tx, { accountId, environment, brand }, at);
      const entry = { action: "brand.pause", subject: brand, detail: { environment } } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
    });
  }

  /** @throws Problem NOT_FOUND if the brand is not paused */
  async resume({ staffId, accountId, environment }: ScopedAuthor, brand: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      if (!(await resumeByHand(tx, { accountId, environment, brand }, at))) {
        throw new Problem("NOT_FOUND", `The brand ${brand} is not paused.`);
      }
      const entry = { action: "brand.resume", subject: brand, detail: { environment } } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
    });
  }

  async runProbe(subject: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(accountOfSubject(subject), (tx) => probe(tx, subject, clock.now()));
  }
}
