import type { Selectable } from "kysely";
import type { WebhookKind } from "../../../contract/pos/webhooks.ts";
import type { Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readOnceInGroup } from "../../../db/group-memory.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { DAY } from "../../../lib/clock.ts";

export interface EndpointRef extends Scope {
  endpointId: string;
}

export interface NewEndpoint extends EndpointRef {
  kind: WebhookKind;
  url: string;
  headerName: string | undefined;
  sealedHeaderValue: string | undefined;
  sealedSecret: string;
  allowPrivate: boolean;
  createdAt: number;
}

/** Times are in milliseconds. */
export interface Endpoint extends NewEndpoint {
  failingSince: number | undefined;
  lastFailure: string | undefined;
  pausedAt: number | undefined;
  /** Secret before the last rotation, which also signs deliveries until `until`. */
  oldSecret: { sealed: string; until: number } | undefined;
}

/** An endpoint is paused after all its deliveries have failed for this time. */
const PAUSE_AFTER_MS = DAY;

/** @returns false if the endpoint already exists */
export async function createEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("webhook_endpoints")
    .values({
      ...keyOf(endpoint),
      kind: endpoint.kind,
      url: endpoint.url,
      header_name: endpoint.headerName ?? null,
      header_value_sealed: endpoint.sealedHeaderValue ?? null,
      secret_sealed: endpoint.sealedSecret,
      allow_private: endpoint.allowPrivate ? 1 : 0,
      created_at: endpoint.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function listEndpoints(
  db: Db | Tx,
  filter: { accountId: string } & Partial<EndpointRef & { kind: WebhookKind }>,
): Promise<Endpoint[]> {
  let query = db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("removed_at", "is", null)
    .where("account_id", "=", filter.accountId);
  if (filter.environment) query = query.where("environment", "=", filter.environment);
  if (filter.kind) query = query.where("kind", "=", filter.kind);
  if (filter.endpointId) query = query.where("endpoint_id", "=", filter.endpointId);
  // Sorts in memory, because an index returns only a few rows.
  const rows = await query.execute();
  return rows.sort(byAge).map(toEndpoint);
}

/** Lists endpoints, oldest first. Runs for every purchase. */
export async function listEndpointsOfKind(
  db: Db | Tx,
  { accountId, environment }: Scope,
  kind: WebhookKind,
): Promise<Endpoint[]> {
  const key = `${accountId}/${environment}/${kind}`;
  const { rows } = await readOnceInGroup(db, "webhook_endpoints", key, () =>
    selectOfKind(db, { accountId, environment, kind }),
  );
  return rows.toSorted(byAge).map(toEndpoint);
}

/** Listed, because PostgreSQL prepares no statement that selects every column. */
const ENDPOINT_COLUMNS = [
  "account_id",
  "environment",
  "endpoint_id",
  "kind",
  "url",
  "header_name",
  "header_value_sealed",
  "secret_sealed",
  "old_secret_sealed",
  "old_secret_until",
  "allow_private",
  "created_at",
  "failing_since",
  "last_failed_at",
  "last_failure",
  "paused_at",
  "removed_at",
] as const;

const selectOfKind = compileOnce<Scope & { kind: WebhookKind }, Row>((db, param) =>
  db
    .selectFrom("webhook_endpoints")
    .select(ENDPOINT_COLUMNS)
    .where("removed_at", "is", null)
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .where("kind", "=", param("kind")),
);

function byAge(
  a: { created_at: number; endpoint_id: string },
  b: { created_at: number; endpoint_id: string },
): number {
  return a.created_at - b.created_at || (a.endpoint_id < b.endpoint_id ? -1 : 1);
}

export async function findEndpoint(
  db: Db | Tx,
  ref: { accountId: string } & Partial<EndpointRef> & Pick<EndpointRef, "endpointId">,
): Promise<Endpoint | undefined> {
  return (await listEndpoints(db, ref))[0];
}

/** Removes the secrets and keeps the row, because deliveries refer to it. */
export async function removeEndpoint(tx: Tx, ref: EndpointRef, at: number): Promise<void> {
  const gone = {
    header_name: null,
    header_value_sealed: null,
    secret_sealed: null,
    old_secret_sealed: null,
    old_secret_until: null,
  };
  await change(tx, ref, { ...gone, removed_at: at });
}

/** Changes the target. The endpoint keeps its id, secret and deliveries. */
export async function changeTarget(
  tx: Tx,
  ref: EndpointRef,
  target: Pick<NewEndpoint, "url" | "headerName" | "sealedHeaderValue" | "allowPrivate">,
): Promise<void> {
  await change(tx, ref, {
    url: target.url,
    header_name: target.headerName ?? null,
    header_value_sealed: target.sealedHeaderValue ?? null,
    allow_private: target.allowPrivate ? 1 : 0,
  });
}

export async function replaceSecret(
  tx: Tx,
  endpoint: Endpoint,
  { sealedSecret, until }: { sealedSecret: string; until: number },
): Promise<void> {
  await change(tx, endpoint, {
    secret_sealed: sealedSecret,
    old_secret_sealed: endpoint.sealedSecret,
    old_secret_until: until,
  });
}

export async function clearFailures(tx: Tx, ref: EndpointRef): Promise<void> {
  await change(tx, ref, {
    failing_since: null,
    last_failed_at: null,
    last_failure: null,
    paused_at: null,
  });
}

/**
 * Records a failed attempt. After a day without attempts, a new failure period starts.
 * @returns whether all attempts of at least a day have failed
 */
export async function noteFailure(
  tx: Tx,
  ref: EndpointRef,
  failure: { at: number; reason: string },
): Promise<boolean> {
  const seen = await tx
    .selectFrom("webhook_endpoints")
    .select(["failing_since", "last_failed_at"])
    .where(inScope(ref))
    .where("endpoint_id", "=", ref.endpointId)
    .executeTakeFirstOrThrow();
  const quiet = failure.at - (seen.last_failed_at ?? -Infinity) > PAUSE_AFTER_MS;
  const since = quiet ? failure.at : (seen.failing_since ?? failure.at);
  await change(tx, ref, {
    failing_since: since,
    last_failed_at: failure.at,
    last_failure: failure.reason,
  });
  return failure.at - since >= PAUSE_AFTER_MS;
}

export async function pauseEndpoint(tx: Tx, ref: EndpointRef, at: number): Promise<void> {
  await change(tx, ref, { paused_at: at });
}

type Row = Omit<Selectable<Tables["webhook_endpoints"]>, "checksum">;

async function change(tx: Tx, ref: EndpointRef, values: Partial<Row>): Promise<void> {
  await tx
    .updateTable("webhook_endpoints")
    .set(values)
    .where(inScope(ref))
    .where("endpoint_id", "=", ref.endpointId)
    .execute();
}

function toEndpoint(row: Row): Endpoint {
  return {
    accountId: row.account_id,
    environment: row.environment,
    endpointId: row.endpoint_id,
    kind: row.kind,
    url: row.url,
    headerName: row.header_name ?? undefined,
    sealedHeaderValue: row.header_value_sealed ?? undefined,
    sealedSecret: row.secret_sealed ?? "",
    allowPrivate: row.allow_private === 1,
    createdAt: row.created_at,
    failingSince: row.failing_since ?? undefined,
    lastFailure: row.last_failure ?? undefined,
    pausedAt: row.paused_at ?? undefined,
    oldSecret:
      row.old_secret_sealed === null || row.old_secret_until === null
        ? undefined
        : { sealed: row.old_secret_sealed, until: row.old_secret_until },
  };
}

function keyOf(ref: EndpointRef) {
  return {
    account_id: ref.accountId,
    environment: ref.environment,
    endpoint_id: ref.endpointId,
  };
}
