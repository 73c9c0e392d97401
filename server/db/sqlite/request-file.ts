import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { Kysely } from "kysely";
import { isDamagedFile } from "../../lib/storage-fault.ts";
import { keepPrivate } from "../database-files.ts";
import { setDirect } from "../direct-connection.ts";
import type { Db } from "../handles.ts";
import { migration010 } from "../migrations/010-request-log.ts";
import type { Tables } from "../tables.ts";
import { ImmediateDialect } from "./connection.ts";

/** Raised when the table changes. A file with another number is replaced by an empty one. */
const LAYOUT = 1;
const CACHE_KIB = { usual: 4 * 1024, light: 512 };
/** Rows are only added at the end, so large pages need fewer writes. */
const PAGE_BYTES = 16 * 1024;
/** Limits the file to 1 GiB, and that of a sandbox to 64 MiB. */
const MAX_PAGES = { usual: 64 * 1024, light: 4 * 1024 };
/** Endings of the file's parts. */
const PARTS = ["", "-wal", "-shm"];

/**
 * Opens the file with the requests of API keys. It is apart from the shop's database, so that no
 * backup contains it and no sale waits for it. A damaged file is replaced by an empty one.
 * @param isDamaged true if the caller has found damage
 * @param isLight true for a sandbox, whose file is smaller
 */
export async function openRequestFile(
  dataDir: string,
  { isDamaged = false, isLight = false }: { isDamaged?: boolean; isLight?: boolean } = {},
): Promise<Db> {
  const file = fileIn(dataDir);
  try {
    if (!isDamaged) return await open(file, isLight);
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
  }
  removeRequestFile(dataDir);
  return open(file, isLight);
}

async function open(file: string, isLight: boolean): Promise<Db> {
  const sqlite = new SQLite(file, { timeout: 0 });
  const kind = isLight ? "light" : "usual";
  try {
    keepPrivate(file);
    sqlite.pragma("trusted_schema = OFF");
    sqlite.pragma(`page_size = ${PAGE_BYTES}`);
    sqlite.pragma("journal_mode = WAL");
    // A crash of the machine loses the last moments of the log, but never damages the file.
    sqlite.pragma("synchronous = NORMAL");
    sqlite.pragma(`cache_size = ${-CACHE_KIB[kind]}`);
    sqlite.pragma(`max_page_count = ${MAX_PAGES[kind]}`);
    const dialect = new ImmediateDialect(sqlite, { owner: sqlite, sharing: "shared" });
    const db = new Kysely<Tables>({ dialect });
    setDirect(db, dialect.direct);
    if (sqlite.pragma("user_version", { simple: true }) !== LAYOUT) {
      await db.schema.dropTable("api_requests").ifExists().execute();
      await migration010.up(db);
      sqlite.pragma(`user_version = ${LAYOUT}`);
    }
    await db.selectFrom("api_requests").select("request_no").limit(1).execute();
    return db;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, "requests.db");
}

/** @returns undefined if there is no file */
export function measureRequestFile(
  dataDir: string,
): { bytes: number; changedAt: number } | undefined {
  const file = fileIn(dataDir);
  const parts = PARTS.map((part) => file + part).filter((part) => existsSync(part));
  if (parts.length === 0) return undefined;
  const facts = parts.map((part) => statSync(part));
  return {
    bytes: facts.reduce((sum, { size }) => sum + size, 0),
    changedAt: Math.max(...facts.map(({ mtimeMs }) => mtimeMs)),
  };
}

/** The file must not be open. */
export function removeRequestFile(dataDir: string): void {
  for (const part of PARTS) rmSync(fileIn(dataDir) + part, { force: true });
}
