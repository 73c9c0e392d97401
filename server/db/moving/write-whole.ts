import { renameSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { describeFileFault, describeStorageFault } from "../../lib/storage-fault.ts";
import { flushPath } from "../../lib/write-file.ts";
import { ExportFault } from "./export-format.ts";

/**
 * Writes a file, readable only by its owner, under a temporary name in the same folder. Renames it
 * when it is complete and flushed to the disk.
 * @throws ExportFault if the file cannot be written, and errors of `write`; no file then remains
 */
export async function writeWhole<Value>(
  file: string,
  write: (handle: Awaited<ReturnType<typeof open>>) => Promise<Value>,
): Promise<Value> {
  const part = `${file}.part`;
  try {
    await rm(part, { force: true });
    const handle = await open(part, "wx", 0o600);
    let written: Value;
    try {
      written = await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    renameSync(part, file);
    flushPath(dirname(file));
    return written;
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    if (error instanceof ExportFault || describeStorageFault(error) !== undefined) throw error;
    throw new ExportFault(`The file ${file} cannot be written: ${describeFileFault(error)}`, {
      cause: error,
    });
  }
}
