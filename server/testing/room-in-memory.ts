import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/**
 * Minimum size in bytes of a usable file system in memory. Some containers provide only a few
 * megabytes.
 */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns the directory for the tests' data: in memory if possible, because commits are a hundred
 * times faster there.
 * @param chosen value of `TMPDIR`; takes precedence if set
 */
export function findRoomForTests(chosen: string | undefined): string {
  if (chosen !== undefined && chosen !== "") return chosen;
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= ROOM_BYTES) return MEMORY;
  } catch {
    // The directory is missing, as on systems without a file system in memory.
  }
  return tmpdir();
}
