import type { Static } from "typebox";
import { type CatalogImport, CatalogImportOutcome } from "../../../contract/pos/catalog-imports.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY } from "../../../lib/clock.ts";

/** A file that nobody has gone on with for so long is over, and so is what is shown of one. */
const KEPT_MS = DAY;

/** What a file waits for that the gateway does by itself: its job ends it, however long that takes. */
const WORKED_ON = ["CHECKING", "WRITING"] as const;

type WorkedOn = (typeof WORKED_ON)[number];

/** A file on its way to the database's list of those that wait for their owner, and from there to the catalog. */
export interface Upload {
  importId: string;
  name: string;
  bytes: number;
  receivedBytes: number;
  state: Exclude<CatalogImport["state"], "READY">;
  outcome: Static<typeof CatalogImportOutcome>;
  /** Who sends it, or has taken it. */
  staffId: string | undefined;
  /** When anything of it was done last. */
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

/** In place of what was there, which is gone with its bytes. */
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

/** Keeps the bytes that follow those that are there; with the last, the file is to be checked. */
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

/** The whole file; undefined where its bytes are gone, or not all there. */
export async function readBytes(
  db: Db,
  scope: Scope,
  { importId, bytes }: Pick<Upload, "importId" | "bytes">,
): Promise<Uint8Array | undefined> {
  const content = Buffer.alloc(bytes);
  for (let read = 0; read < bytes; ) {
    // One part at a time: they are in memory once, as the file.
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
 * Says what came of a file; its bytes are needed no longer.
 * @returns whether it was still wanted, in that state: otherwise nothing was written
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

/** How much of a file is written, as a part of 1. It is shown, and nobody waits to hear of it. */
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

/** @returns whether it was there; with its bytes it is gone */
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

/** There are none but those of the file on its way. */
async function removeParts(tx: Tx, scope: Scope): Promise<void> {
  await tx.deleteFrom("catalog_upload_parts").where(inScope(scope)).execute();
}

/** Removes a file that nobody has gone on with. @returns whether there may be another */
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
