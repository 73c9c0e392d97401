import type { Selectable } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import { WEBHOOK_KINDS, type WebhookKind } from "../../../contract/pos/webhooks.ts";
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
  kinds: readonly WebhookKind[];
  description: string | undefined;
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
  /** End of a listener's lease, by the machine's clock; undefined for other endpoints. */
  listeningUntil: number | undefined;
  listenerCursor: number | undefined;
}

/** An endpoint is paused after all its deliveries have failed for this time. */
const PAUSE_AFTER_MS = DAY;

/** @returns false if the endpoint already exists */
export async function createEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("webhook_endpoints")
    .values({
      ...keyOf(endpoint),
      kinds: encodeKinds(endpoint.kinds),
      description: endpoint.description ?? null,
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
  if (filter.endpointId) query = query.where("endpoint_id", "=", filter.endpointId);
  // Sorts in memory, because an index returns only a few rows.
  const endpoints = (await query.execute()).sort(byAge).map(toEndpoint);
  const { kind } = filter;
  return kind ? endpoints.filter(({ kinds }) => kinds.includes(kind)) : endpoints;
}

/** Lists endpoints, oldest first. Runs for every purchase. */
export async function listEndpointsOfKind(
  db: Db | Tx,
  { accountId, environment }: Scope,
  kind: WebhookKind,
): Promise<Endpoint[]> {
  // One read for the verification and the result, and for all families.
  const key = `${accountId}/${environment}`;
  const { rows } = await readOnceInGroup(db, "webhook_endpoints", key, () =>
    selectInScope(db, { accountId, environment }),
  );
  const ofKind = rows.filter(({ kinds }) => decodeKinds(kinds).includes(kind));
  return ofKind.toSorted(byAge).map(toEndpoint);
}

/** Listed, because PostgreSQL prepares no statement that selects every column. */
const ENDPOINT_COLUMNS = [
  "account_id",
  "environment",
  "endpoint_id",
  "kinds",
  "description",
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
  "listening_until",
  "listener_cursor",
] as const;

const selectInScope = compileOnce<Scope, Row>((db, param) =>
  db
    .selectFrom("webhook_endpoints")
    .select(ENDPOINT_COLUMNS)
    .where("removed_at", "is", null)
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment")),
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

type ChangedEndpoint = Pick<
  NewEndpoint,
  "kinds" | "description" | "url" | "headerName" | "sealedHeaderValue" | "allowPrivate"
>;

/** Keeps the endpoint's id, secret and deliveries. */
export async function changeEndpoint(
  tx: Tx,
  ref: EndpointRef,
  changed: ChangedEndpoint,
): Promise<void> {
  await change(tx, ref, {
    kinds: encodeKinds(changed.kinds),
    description: changed.description ?? null,
    url: changed.url,
    header_name: changed.headerName ?? null,
    header_value_sealed: changed.sealedHeaderValue ?? null,
    allow_private: changed.allowPrivate ? 1 : 0,
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

export async function setLease(
  tx: Tx,
  ref: EndpointRef,
  { until, cursor }: { until: number; cursor: number },
): Promise<void> {
  await change(tx, ref, { listening_until: until, listener_cursor: cursor });
}

/** Lists listeners whose lease ended before a time. */
export async function listAbandonedListeners(db: Db, before: number): Promise<EndpointRef[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .select(["account_id", "environment", "endpoint_id"])
    // The index needs conditions on its first columns.
    .where("account_id", "in", db.selectFrom("accounts").select("account_id"))
    .where("environment", "in", ENVIRONMENTS)
    .where("removed_at", "is", null)
    .where("listening_until", "<", before)
    .execute();
  return rows.map(toRef);
}

export function toRef(row: Pick<Row, "account_id" | "environment" | "endpoint_id">): EndpointRef {
  const { account_id: accountId, environment, endpoint_id: endpointId } = row;
  return { accountId, environment, endpointId };
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
    ...toRef(row),
    kinds: decodeKinds(row.kinds),
    description: row.description ?? undefined,
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
    listeningUntil: row.listening_until ?? undefined,
    listenerCursor: row.listener_cursor ?? undefined,
  };
}

const SEPARATOR = " ";

/** In the order of `WEBHOOK_KINDS`, so that equal sets have equal texts. */
function encodeKinds(kinds: readonly WebhookKind[]): string {
  return WEBHOOK_KINDS.filter((kind) => kinds.includes(kind)).join(SEPARATOR);
}

function decodeKinds(text: string): WebhookKind[] {
  const names = text.split(SEPARATOR);
  return WEBHOOK_KINDS.filter((kind) => names.includes(kind));
}

function keyOf(ref: EndpointRef) {
  return {
    account_id: ref.accountId,
    environment: ref.environment,
    endpoint_id: ref.endpointId,
  };
}
