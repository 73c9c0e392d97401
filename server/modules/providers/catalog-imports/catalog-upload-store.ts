import type { Static } from "typebox";
import { type CatalogImport, CatalogImportOutcome } from "../../../contract/pos/catalog-imports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY } from "../../../lib/clock.ts";

/** Storage time of an abandoned upload, and of the result of an import. */
const KEPT_MS = DAY;

/** States in which a job works on the upload. The upload does not expire in these states. */
const WORKED_ON = ["CHECKING", "WRITING"] as const;

type WorkedOn = (typeof WORKED_ON)[number];

export interface Upload {
  importId: string;
  name: string;
  bytes: number;
  receivedBytes: number;
  state: Exclude<CatalogImport["state"], "READY">;
  outcome: Static<typeof CatalogImportOutcome>;
  /** The person who uploads the file or has accepted it. */
  staffId: string | undefined;
  touchedAt: number;
}

export async function findUpload(
  db: Db | Tx,
  scope: Scope,
  now: number,
): Promise<Upload | undefined> {
  const row = await db
    .selectFrom("catalog_uploads")
    .selectAll()
    .where(inScope(scope))
    .where(({ or, eb }) => or([eb("touched_at", ">", now - KEPT_MS), eb("state", "in", WORKED_ON)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const where = { table: "catalog_uploads", column: "outcome_json", row: row.import_id } as const;
  return {
    importId: row.import_id,
    name: row.name,
    bytes: row.bytes,
    receivedBytes: row.received_bytes,
    state: row.state,
    outcome: readColumn(CatalogImportOutcome, row.outcome_json, where),
    staffId: row.staff_id ?? undefined,
    touchedAt: row.touched_at,
  };
}

export async function putUpload(tx: Tx, scope: Scope, upload: Upload): Promise<void> {
  await removeUpload(tx, scope);
  await tx
    .insertInto("catalog_uploads")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      import_id: upload.importId,
      name: upload.name,
      bytes: upload.bytes,
      received_bytes: upload.receivedBytes,
      state: upload.state,
      outcome_json: JSON.stringify(upload.outcome),
      staff_id: upload.staffId ?? null,
      touched_at: upload.touchedAt,
    })
    .execute();
}

/** Appends a part. After the last part, the file is ready for the check. */
export async function addBytes(
  tx: Tx,
  scope: Scope,
  { importId, receivedBytes, bytes }: Upload,
  { content, at }: { content: Uint8Array; at: number },
): Promise<{ isWhole: boolean }> {
  const received = receivedBytes + content.length;
  const isWhole = received === bytes;
  await tx
    .insertInto("catalog_upload_parts")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      import_id: importId,
      first_byte: receivedBytes,
      content,
    })
    .execute();
  await tx
    .updateTable("catalog_uploads")
    .set({
      received_bytes: received,
      touched_at: at,
      ...(isWhole && { state: "CHECKING" as const }),
    })
    .where(inScope(scope))
    .execute();
  return { isWhole };
}

/** Returns the whole file; undefined if parts are missing. */
export async function readBytes(
  db: Db,
  scope: Scope,
  { importId, bytes }: Pick<Upload, "importId" | "bytes">,
): Promise<Uint8Array | undefined> {
  const content = Buffer.alloc(bytes);
  for (let read = 0; read < bytes; ) {
    // Reads a single part at a time, so that memory contains the file only once.
    const part = await db
      .selectFrom("catalog_upload_parts")
      .select("content")
      .where(inScope(scope))
      .where("import_id", "=", importId)
      .where("first_byte", "=", read)
      .executeTakeFirst();
    if (!part || part.content.length === 0) return undefined;
    content.set(part.content, read);
    read += part.content.length;
  }
  return content;
}

/**
 * Stores the result, and deletes the parts.
 * @returns false, without any change, if the file was deleted or is in another state
 */
export async function endUpload(
  tx: Tx,
  scope: Scope,
  which: { importId: string; state: WorkedOn },
  end: Pick<Upload, "state" | "outcome"> & { at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("catalog_uploads")
    .set({ state: end.state, outcome_json: JSON.stringify(end.outcome), touched_at: end.at })
    .where(inScope(scope))
    .where("import_id", "=", which.importId)
    .where("state", "=", which.state)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await removeParts(tx, scope);
  return true;
}

/** Stores the written share of the catalog (0 to 1), for display only. */
export async function noteWritten(
  tx: Tx,
  scope: Scope,
  importId: string,
  written: number,
): Promise<void> {
  await tx
    .updateTable("catalog_uploads")
    .set({ outcome_json: JSON.stringify({ written }) })
    .where(inScope(scope))
    .where("import_id", "=", importId)
    .where("state", "=", "WRITING")
    .execute();
}

export async function removeUpload(
  tx: Tx,
  scope: Scope,
  which?: { importId: string; state: WorkedOn },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("catalog_uploads")
    .where(inScope(scope))
    .$if(which !== undefined, (query) =>
      query
        .where("import_id", "=", which?.importId ?? "")
        .where("state", "=", which?.state ?? "CHECKING"),
    )
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await removeParts(tx, scope);
  return true;
}

async function removeParts(tx: Tx, scope: Scope): Promise<void> {
  await tx.deleteFrom("catalog_upload_parts").where(inScope(scope)).execute();
}

/**
 * Deletes abandoned uploads.
 * @returns whether more may exist
 */
export async function pruneUploads(
  { db, transactor }: { db: Db; transactor: Transactor },
  now: number,
): Promise<boolean> {
  const over = await db
    .selectFrom("catalog_uploads")
    .select(["account_id as accountId", "environment"])
    .where("touched_at", "<=", now - KEPT_MS)
    .where("state", "not in", WORKED_ON)
    .executeTakeFirst();
  if (!over) return false;
  await transactor.transact(over.accountId, async (tx) => {
    if (!(await findUpload(tx, over, now))) await removeUpload(tx, over);
  });
  return true;
}
