import { type Selectable, sql } from "kysely";
import type { ANSWER_OPERATIONS, Deviation } from "../contract/pos/provider-answers.ts";
import type { Scope } from "../db/changes.ts";
import type { Db, Tx } from "../db/database.ts";
import { inScope } from "../db/scope-filters.ts";
import type { Tables } from "../db/tables.ts";

interface DeviatingAnswerRef extends Scope {
  provider: string | undefined;
  operation: (typeof ANSWER_OPERATIONS)[number];
  /** A transaction id, an ICCID, or a bill's offer id. */
  reference: string;
  at: number;
}

interface StoredDeviation extends Deviation {
  provider: string;
  operation: DeviatingAnswerRef["operation"];
  count: number;
  firstAt: number;
  lastAt: number;
  lastReference: string;
}

/** Adds the deviations of a response. Counts a repeated reference only once. */
export async function addDeviations(
  tx: Tx,
  { accountId, environment, provider = "", operation, reference, at }: DeviatingAnswerRef,
  deviations: readonly Deviation[],
): Promise<void> {
  for (const { field, kind, needed } of deviations) {
    const key = { account_id: accountId, environment, provider, operation, field, kind };
    const latest = { last_at: at, last_reference: reference };
    const known = await tx
      .selectFrom("provider_deviations")
      .select(["count", "needed", "last_reference"])
      .where(inScope({ accountId, environment }))
      .where("provider", "=", provider)
      .where("operation", "=", operation)
      .where("field", "=", field)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (!known) {
      const first = { needed: needed ? 1 : 0, count: 1, first_at: at, ...latest } as const;
      await tx
        .insertInto("provider_deviations")
        .values({ ...key, ...first })
        .execute();
      continue;
    }
    await tx
      .updateTable("provider_deviations")
      .set({
        ...latest,
        needed: needed ? 1 : known.needed,
        count: known.last_reference === reference ? known.count : known.count + 1,
      })
      .where(inScope({ accountId, environment }))
      .where("provider", "=", provider)
      .where("operation", "=", operation)
      .where("field", "=", field)
      .where("kind", "=", kind)
      .execute();
  }
}

/** Lists deviations, those of needed fields first, and otherwise the latest first. */
export async function listDeviations(db: Db | Tx, scope: Scope): Promise<StoredDeviation[]> {
  const rows = await selectDeviations(db, scope)
    .orderBy("needed", "desc")
    .orderBy("last_at", "desc")
    .orderBy("operation")
    .orderBy("field")
    .orderBy("kind")
    .execute();
  return rows.map(toDeviation);
}

export async function listNeededDeviations(
  db: Db | Tx,
  scope: Scope,
  since: number,
): Promise<StoredDeviation[]> {
  // The planner uses the partial index only for a literal.
  const rows = await selectDeviations(db, scope)
    .where("needed", "=", sql.lit(1))
    .where("last_at", ">=", since)
    .orderBy("last_at", "desc")
    .execute();
  return rows.map(toDeviation);
}

function selectDeviations(db: Db | Tx, scope: Scope) {
  return db.selectFrom("provider_deviations").selectAll().where(inScope(scope));
}

function toDeviation(row: Selectable<Tables["provider_deviations"]>): StoredDeviation {
  return {
    provider: row.provider,
    operation: row.operation,
    field: row.field,
    kind: row.kind,
    needed: row.needed === 1,
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    lastReference: row.last_reference,
  };
}
