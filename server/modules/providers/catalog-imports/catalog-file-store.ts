import type { Static } from "typebox";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { type CatalogImport, CatalogImportOutcome } from "../../../contract/pos/catalog-imports.ts";
import { CatalogDifference } from "../../../contract/pos/upstream.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY } from "../../../lib/clock.ts";
import { recordCatalogUpdate } from "../../catalog/catalog/index.ts";

/** Storage time of an abandoned upload, and of the result of an import. */
const KEPT_MS = DAY;

/** States in which a file does not expire: a job works on it, or it waits for an owner. */
const LASTING = ["CHECKING", "READY", "WRITING"] as const;

type WorkedOn = "CHECKING" | "WRITING";

/** Result of the check. */
export interface Checked {
  checkedAt: number;
  baseVersion: number;
  difference: CatalogDifference;
}

export interface CatalogFile {
  importId: string;
  name: string;
  bytes: number;
  receivedBytes: number;
  state: CatalogImport["state"];
  outcome: Static<typeof CatalogImportOutcome>;
  /** The person who uploads the file or has accepted it. */
  staffId: string | undefined;
  touchedAt: number;
  /** Undefined before the check, and after the file was written or has failed. */
  checked: Checked | undefined;
}

export async function findFile(
  db: Db | Tx,
  scope: Scope,
  now: number,
): Promise<CatalogFile | undefined> {
  const row = await db
    .selectFrom("catalog_files")
    .selectAll()
    .where(inScope(scope))
    .where(({ or, eb }) => or([eb("touched_at", ">", now - KEPT_MS), eb("state", "in", LASTING)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const { checked_at, base_version, difference_json } = row;
  const where = { table: "catalog_files", row: row.import_id } as const;
  return {
    importId: row.import_id,
    name: row.name,
    bytes: row.bytes,
    receivedBytes: row.received_bytes,
    state: row.state,
    outcome: readColumn(CatalogImportOutcome, row.outcome_json, {
      ...where,
      column: "outcome_json",
    }),
    staffId: row.staff_id ?? undefined,
    touchedAt: row.touched_at,
    checked:
      checked_at === null || base_version === null || difference_json === null
        ? undefined
        : {
            checkedAt: checked_at,
            baseVersion: base_version,
            difference: readColumn(CatalogDifference, difference_json, {
              ...where,
              column: "difference_json",
            }),
          },
  };
}

/** Replaces any file, and its parts, by a file that will be received. */
export async function putFile(
  tx: Tx,
  scope: Scope,
  file: Pick<CatalogFile, "importId" | "name" | "bytes" | "staffId" | "touchedAt">,
): Promise<void> {
  await removeFile(tx, scope);
  await tx
    .insertInto("catalog_files")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      import_id: file.importId,
      name: file.name,
      bytes: file.bytes,
      received_bytes: 0,
      state: "RECEIVING",
      outcome_json: "{}",
      staff_id: file.staffId ?? null,
      touched_at: file.touchedAt,
    })
    .execute();
}

/** Appends a part. After the last part, the file is ready for the check. */
export async function addBytes(
  tx: Tx,
  scope: Scope,
  { importId, receivedBytes, bytes }: CatalogFile,
  { content, at }: { content: Uint8Array; at: number },
): Promise<{ isWhole: boolean }> {
  const received = receivedBytes + content.length;
  const isWhole = received === bytes;
  await addPart(tx, scope, { importId, firstByte: receivedBytes, content });
  await tx
    .updateTable("catalog_files")
    .set({
      received_bytes: received,
      touched_at: at,
      ...(isWhole && { state: "CHECKING" as const }),
    })
    .where(inScope(scope))
    .execute();
  return { isWhole };
}

async function addPart(
  tx: Tx,
  { accountId, environment }: Scope,
  { importId, firstByte, content }: { importId: string; firstByte: number; content: Uint8Array },
): Promise<void> {
  const row = { account_id: accountId, environment, import_id: importId, first_byte: firstByte };
  await tx
    .insertInto("catalog_file_parts")
    .values({ ...row, content })
    .execute();
}

/** Returns the whole uploaded file; undefined if parts are missing. */
export async function readBytes(
  db: Db,
  scope: Scope,
  { importId, bytes }: Pick<CatalogFile, "importId" | "bytes">,
): Promise<Uint8Array | undefined> {
  const content = Buffer.alloc(bytes);
  for (let read = 0; read < bytes; ) {
    // Reads a single part at a time, so that memory contains the file only once.
    const part = await readPart(db, scope, importId, read);
    if (!part || part.length === 0) return undefined;
    content.set(part, read);
    read += part.length;
  }
  return content;
}

/** Returns the packed sections of a checked file; undefined if it was deleted. */
export function readPacked(
  db: Db,
  scope: Scope,
  importId: string,
): Promise<Uint8Array | undefined> {
  return readPart(db, scope, importId, 0);
}

async function readPart(
  db: Db,
  scope: Scope,
  importId: string,
  firstByte: number,
): Promise<Uint8Array | undefined> {
  const part = await db
    .selectFrom("catalog_file_parts")
    .select("content")
    .where(inScope(scope))
    .where("import_id", "=", importId)
    .where("first_byte", "=", firstByte)
    .executeTakeFirst();
  return part?.content;
}

/**
 * Replaces the bytes of the file by its packed sections, which wait for an owner.
 * @returns false, without any change, if the file was deleted or is in another state
 */
export async function keepChecked(
  tx: Tx,
  scope: Scope,
  importId: string,
  { checkedAt, baseVersion, difference, content }: Checked & { content: Uint8Array },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("catalog_files")
    .set({
      state: "READY",
      outcome_json: "{}",
      touched_at: checkedAt,
      checked_at: checkedAt,
      base_version: baseVersion,
      difference_json: JSON.stringify(difference),
    })
    .where(inScope(scope))
    .where("import_id", "=", importId)
    .where("state", "=", "CHECKING")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await removeParts(tx, scope);
  await addPart(tx, scope, { importId, firstByte: 0, content });
  return true;
}

export async function acceptFile(
  tx: Tx,
  scope: Scope,
  { importId, staffId, at }: { importId: string; staffId: string | undefined; at: number },
): Promise<void> {
  await tx
    .updateTable("catalog_files")
    .set({
      state: "WRITING",
      outcome_json: JSON.stringify({ written: 0 }),
      staff_id: staffId ?? null,
      touched_at: at,
    })
    .where(inScope(scope))
    .where("import_id", "=", importId)
    .where("state", "=", "READY")
    .execute();
}

/**
 * Stores the result, and deletes the parts.
 * @returns false, without any change, if the file was deleted or is in another state
 */
export async function endFile(
  tx: Tx,
  scope: Scope,
  which: { importId: string; state: WorkedOn },
  end: Pick<CatalogFile, "state" | "outcome"> & { at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("catalog_files")
    .set({
      state: end.state,
      outcome_json: JSON.stringify(end.outcome),
      touched_at: end.at,
      checked_at: null,
      base_version: null,
      difference_json: null,
    })
    .where(inScope(scope))
    .where("import_id", "=", which.importId)
    .where("state", "=", which.state)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await removeParts(tx, scope);
  return true;
}

/** Stores how much of the catalog is written (0 to 1), for display only. */
export async function noteWritten(
  tx: Tx,
  scope: Scope,
  importId: string,
  written: number,
): Promise<void> {
  await tx
    .updateTable("catalog_files")
    .set({ outcome_json: JSON.stringify({ written }) })
    .where(inScope(scope))
    .where("import_id", "=", importId)
    .where("state", "=", "WRITING")
    .execute();
}

export async function removeFile(tx: Tx, scope: Scope): Promise<void> {
  await tx.deleteFrom("catalog_files").where(inScope(scope)).execute();
  await removeParts(tx, scope);
}

async function removeParts(tx: Tx, scope: Scope): Promise<void> {
  await tx.deleteFrom("catalog_file_parts").where(inScope(scope)).execute();
}

/** @returns whether more abandoned uploads may exist */
export async function pruneUploads(
  { db, transactor }: { db: Db; transactor: Transactor },
  now: number,
): Promise<boolean> {
  const over = await db
    .selectFrom("catalog_files")
    .select(["account_id as accountId", "environment"])
    .where("touched_at", "<=", now - KEPT_MS)
    .where("state", "not in", LASTING)
    .executeTakeFirst();
  if (!over) return false;
  await transactor.transact(over.accountId, async (tx) => {
    if (!(await findFile(tx, over, now))) await removeFile(tx, over);
  });
  return true;
}

export async function noteFailure(
  tx: Tx,
  { accountId, environment, staffId }: ScopedAuthor,
  { source, failure, at }: { source: string; failure: string; at: number },
): Promise<void> {
  const note = { action: "catalog.import", source, staffId, at, outcome: { failure } } as const;
  await recordCatalogUpdate(tx, { accountId, environment }, note);
}
