import type { Selectable } from "kysely";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readOnceInGroup } from "../../../db/group-memory.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import { accountOfSubject, decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { FIRST_PROVIDER, toProviderColumn } from "../../../providers/supply.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { subjectOf } from "../../books/transactions/index.ts";
import {
  type CatalogService,
  listJoinedSellers,
  listSellers,
  noteProviderState,
} from "../../catalog/catalog/index.ts";
import type { Base } from "../../module.ts";
import type { StoredPurchase } from "./purchase-store.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";
import { RETRY_INTERVAL_MS, windowEnd } from "./retry-policy.ts";

/** Job that sends one purchase of a paused brand. Its subject names the scope and the brand. */
export const PROBE_JOB = "brand.probe";

const FAILURES_BEFORE_PAUSE = 5;
const PROBE_INTERVAL_MS = MINUTE;

export interface BrandRef extends Scope {
  brand: string;
  providerId: string;
}

/**
 * Circuit breaker of a brand at a provider (rules#brand-pause-automatic). After consecutive
 * failures, new purchases there wait in PENDING before money is held, and one purchase is sent each
 * minute. The first clear answer resumes all purchases. After a manual pause, no purchase of the
 * brand is sent until a person ends the pause.
 */
export interface BrandState {
  brand: string;
  providerId: string;
  failures: number;
  pausedSince: number | undefined;
  pausedByHand: boolean;
  nextProbeAt: number | undefined;
}

function brandOf({ transaction, offer, supply }: StoredPurchase): BrandRef {
  const { accountId, environment } = transaction;
  const providerId = supply?.providerId ?? FIRST_PROVIDER;
  return { accountId, environment, brand: offer.brand, providerId };
}

/** The code of a brand contains no slash. */
function probeSubject(ref: BrandRef): string {
  const { brand, providerId } = ref;
  return encodeSubject(ref, providerId === FIRST_PROVIDER ? brand : `${providerId}/${brand}`);
}

function readProbeSubject(subject: string): BrandRef {
  const { scope, id } = decodeSubject(subject);
  const [brand = "", providerId = FIRST_PROVIDER] = id.split("/").toReversed();
  return { ...scope, brand, providerId };
}

const BRAND_COLUMNS = [
  "brand",
  "provider_id",
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
  // A person pauses a brand at all its providers.
  const row =
    rows.find(({ pause_reason }) => pause_reason === "manual") ??
    rows.find(({ provider_id }) => provider_id === ref.providerId);
  return row && toState(row);
}

/** Reads the brand's state for a later step of the transaction (`readAhead`). */
export async function readBrandAhead(tx: Tx, purchase: StoredPurchase): Promise<void> {
  await findState(tx, brandOf(purchase));
}

/** Returns whether the purchase's brand is not paused. */
export async function isBrandOpen(tx: Tx, purchase: StoredPurchase): Promise<boolean> {
  return (await findState(tx, brandOf(purchase)))?.pausedSince === undefined;
}

const selectState = compileOnce<BrandRef, BrandRow>((db, param) =>
  db
    .selectFrom("brand_states")
    .select(BRAND_COLUMNS)
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .where("brand", "=", param("brand"))
    .where("provider_id", "in", [FIRST_PROVIDER, param("providerId")]),
);

async function listStates(db: Db | Tx, scope: Scope): Promise<BrandState[]> {
  const rows = await db
    .selectFrom("brand_states")
    .selectAll()
    .where(inScope(scope))
    .orderBy("brand")
    .orderBy("provider_id")
    .execute();
  return rows.map(toState);
}

function toState(row: BrandRow): BrandState {
  return {
    brand: row.brand,
    providerId: row.provider_id,
    failures: row.failures,
    pausedSince: row.paused_since ?? undefined,
    pausedByHand: row.pause_reason === "manual",
    nextProbeAt: row.next_probe_at ?? undefined,
  };
}

type PausedBrand = BrandState & { pausedSince: number };

/** Lists paused brands by provider. A manual pause is stored at the first, and applies to all. */
export async function listPauses(db: Db | Tx, scope: Scope): Promise<PausedBrand[]> {
  return (await listStates(db, scope)).flatMap(({ pausedSince, ...state }) =>
    pausedSince === undefined ? [] : [{ ...state, pausedSince }],
  );
}

/** Lists brands that no provider sells: a brand counts only if all its providers are paused. */
export async function listPausedBrands(db: Db | Tx, scope: Scope): Promise<PausedBrand[]> {
  const paused = await listPauses(db, scope);
  const list: PausedBrand[] = [];
  for (const states of Map.groupBy(paused, ({ brand }) => brand).values()) {
    const [first] = states;
    const manual = states.find(({ pausedByHand }) => pausedByHand);
    if (manual) list.push(manual);
    else if (first) {
      const providers = await listSellers(db, scope, first.brand);
      const isPaused = (one: string) => states.some(({ providerId }) => providerId === one);
      if (providers.every(isPaused)) list.push(first);
    }
  }
  return list;
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
  await noteProviderState(tx, ref, now);
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

/** Returns whether a purchase of the brand waits, or is sent as a probe only. */
export async function isBrandPaused(tx: Tx, ref: BrandRef): Promise<boolean> {
  return (await findState(tx, ref))?.pausedSince !== undefined;
}

async function probe(tx: Tx, subject: string, now: number): Promise<void> {
  const ref = readProbeSubject(subject);
  const state = await findState(tx, ref);
  if (state?.nextProbeAt === undefined) return;
  const isTurn = state.nextProbeAt <= now;
  const woken = isTurn ? await wakeWaiting(tx, ref, now, 1) : 0;
  const isLong = now - (state.pausedSince ?? now) >= RETRY_INTERVAL_MS;
  // If no sale waits, because another provider sells the brand, the next sale is the probe.
  if (isTurn && woken === 0 && isLong && (await listJoinedSellers(tx, ref, ref.brand)).length > 1) {
    const open = { paused_since: null, pause_reason: null, next_probe_at: null } as const;
    await save(tx, ref, { ...open, failures: FAILURES_BEFORE_PAUSE - 1 });
    await noteProviderState(tx, ref, now);
    return;
  }
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
  const states = (await listStates(tx, ref)).filter(
    ({ brand, pausedSince }) => brand === ref.brand && pausedSince !== undefined,
  );
  for (const state of states) {
    await end(tx, { ...ref, providerId: state.providerId }, state, now);
  }
  return states.length > 0;
}

async function end(tx: Tx, ref: BrandRef, state: BrandState, now: number): Promise<void> {
  await tx
    .deleteFrom("brand_states")
    .where(inScope(ref))
    .where("brand", "=", ref.brand)
    .where("provider_id", "=", ref.providerId)
    .execute();
  if (state.pausedSince === undefined) return;
  await cancelJob(tx, PROBE_JOB, probeSubject(ref));
  await wakeWaiting(tx, state.pausedByHand ? { ...ref, providerId: undefined } : ref, now);
  await recordChange(tx, ref, { topic: "provider", subject: ref.brand, at: now });
  await noteProviderState(tx, ref, now);
}

/**
 * Wakes purchases that wait for the brand, at all providers if `providerId` is undefined.
 * @returns the number of these purchases
 */
async function wakeWaiting(
  tx: Tx,
  ref: Omit<BrandRef, "providerId"> & { providerId: string | undefined },
  now: number,
  limit?: number,
): Promise<number> {
  const { accountId, environment, providerId } = ref;
  const waiting = tx
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .select("t.transaction_id")
    .where(inScope(ref, "t"))
    .where("t.status", "=", "PENDING")
    .where("p.brand", "=", ref.brand)
    .orderBy("t.created_at")
    .orderBy("t.transaction_id");
  const query =
    providerId === undefined
      ? waiting
      : waiting.where("p.provider_id", "is not distinct from", toProviderColumn(providerId));
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
  for (const { transaction_id: transactionId } of rows) {
    const subject = subjectOf({ accountId, environment, transactionId });
    await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt: now });
  }
  return rows.length;
}

async function save(
  tx: Tx,
  ref: BrandRef,
  state: Partial<{
    failures: number;
    paused_since: number | null;
    pause_reason: "auto" | "manual" | null;
    next_probe_at: number | null;
  }>,
): Promise<void> {
  const { accountId: account_id, environment, brand, providerId: provider_id } = ref;
  const key = { account_id, environment, brand, provider_id };
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
    .where("provider_id", "=", ref.providerId)
    .execute();
}

interface BrandPauseDeps extends Pick<Base, "db" | "transactor" | "clock"> {
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
      await pauseByHand(tx, { accountId, environment, brand, providerId: FIRST_PROVIDER }, at);
      const entry = { action: "brand.pause", subject: brand, detail: { environment } } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
    });
  }

  /** @throws Problem NOT_FOUND if the brand is not paused */
  async resume({ staffId, accountId, environment }: ScopedAuthor, brand: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      const ref = { accountId, environment, brand, providerId: FIRST_PROVIDER };
      if (!(await resumeByHand(tx, ref, at))) {
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
