import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/**
 * Minimum size of a file system in memory, in bytes: some containers provide only a few megabytes,
 * which is not enough for a run's databases.
 */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns the directory for the tests' data, in memory if possible: commits then take a hundredth
 * of the time.
 * @param chosen directory for temporary files from `TMPDIR`
 */
export function findRoomForTests(chosen: string | undefined): string {
  if (chosen !== undefined && chosen !== "") return chosen;
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= ROOM_BYTES) return MEMORY;
  } catch {
    // Other systems have no file system in memory.
  }
  return tmpdir();
}
