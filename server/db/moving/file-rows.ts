import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { flushPath } from "../../lib/write-file.ts";
import type { Db, Tx } from "../handles.ts";
import { ExportFault, valuesOf } from "./export-format.ts";
import type { TableFacts } from "./table-facts.ts";

/** Table of report files, on PostgreSQL and in exports. With SQLite they are files in a folder. */
export const FILES_TABLE = "report_parts";
/** Maximum bytes of a file in one row; a reader holds one row in memory. */
const PART_BYTES = 256 * 1024;

/** Valid names of report files, which contain no path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

interface FileRow {
  file_name: string;
  part: number;
  content: Uint8Array;
}

export interface FileTally {
  files: number;
  missing: number;
}

/**
 * Yields the report files, split into parts. A file that is missing in the table is read from the
 * directory, and yields the same rows.
 * @param tally is increased for each file
 */
export async function* readFileRows(
  db: Db | Tx,
  directory: string | undefined,
  tally: FileTally = { files: 0, missing: 0 },
): AsyncGenerator<FileRow> {
  for (const name of await readNames(db)) {
    let parts = 0;
    for await (const row of readStored(db, name)) {
      parts += 1;
      yield row;
    }
    if (parts === 0 && directory !== undefined) {
      for await (const row of readFile(directory, name)) {
        parts += 1;
        yield row;
      }
    }
    if (parts > 0) tally.files += 1;
    else tally.missing += 1;
  }
}

async function readNames(db: Db | Tx): Promise<string[]> {
  const rows = [
    ...(await db.selectFrom("reports").select("file_name").execute()),
    ...(await db.selectFrom("shop_reports").select("file_name").execute()),
  ];
  const names = new Set(rows.flatMap(({ file_name }) => (file_name === null ? [] : [file_name])));
  return [...names].toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

async function* readStored(db: Db | Tx, name: string): AsyncGenerator<FileRow> {
  for (let part = 0; ; part++) {
    const row = await db
      .selectFrom(FILES_TABLE)
      .selectAll()
      .where("file_name", "=", name)
      .where("part", "=", part)
      .executeTakeFirst();
    if (!row) return;
    yield row;
  }
}

async function* readFile(directory: string, file_name: string): AsyncGenerator<FileRow> {
  if (!NAME.test(file_name)) throw new ExportFault(`a report has the file ${file_name}`);
  const file = await openFound(join(directory, file_name));
  if (!file) return;
  try {
    for (let part = 0; ; part++) {
      const content = await readPart(file);
      // An empty file has one empty part.
      if (content.length === 0 && part > 0) return;
      yield { file_name, part, content };
    }
  } finally {
    await file.close();
  }
}

/** Returns the next part of a file; empty at the end of the file. */
export async function readPart(file: FileHandle): Promise<Buffer> {
  const part = Buffer.alloc(PART_BYTES);
  let length = 0;
  while (length < PART_BYTES) {
    const { bytesRead } = await file.read(part, length, PART_BYTES - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return part.subarray(0, length);
}

async function openFound(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

export class FileWriter {
  readonly #directory: string;
  readonly #table: TableFacts;
  #open: { name: string; parts: number; file: FileHandle } | undefined;

  constructor(directory: string, table: TableFacts) {
    this.#directory = directory;
    this.#table = table;
  }

  /** @throws ExportFault for a name that contains a path, and for a part out of order */
  async write(row: readonly unknown[]): Promise<void> {
    const values = valuesOf(this.#table, row);
    if (values.includes(null)) throw new ExportFault("it has a part of no file");
    const named = Object.fromEntries(
      this.#table.columns.map(({ name }, index) => [name, values[index]]),
    ) as unknown as FileRow;
    const { file_name, part, content } = named;
    if (this.#open?.name !== file_name) {
      await this.flush();
      if (!NAME.test(file_name)) throw new ExportFault(`it has a file of the name ${file_name}`);
      await mkdir(this.#directory, { mode: 0o700, recursive: true });
      this.#open = { name: file_name, parts: 0, file: await this.#begin(file_name) };
    }
    if (part !== this.#open.parts) throw new ExportFault(`it lacks a part of ${file_name}`);
    this.#open.parts += 1;
    await this.#open.file.writeFile(content);
  }

  async flush(): Promise<void> {
    await this.#open?.file.sync();
    await this.close();
  }

  async close(): Promise<void> {
    const written = this.#open;
    this.#open = undefined;
    await written?.file.close();
  }

  async #begin(name: string): Promise<FileHandle> {
    try {
      return await open(join(this.#directory, name), "wx", 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new ExportFault(`it has the file ${name} twice`, { cause: error });
    }
  }
}

/** Moves written files to their final directory, which may contain other files. */
export async function moveFiles(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  await mkdir(to, { mode: 0o700, recursive: true });
  for (const name of names) await rename(join(from, name), join(to, name));
  flushPath(to);
  await rmdir(from);
}

export async function removeFiles(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}
