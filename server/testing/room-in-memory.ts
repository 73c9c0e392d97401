import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** A file system in memory, where the system has one. */
const MEMORY = "/dev/shm";
/** Some containers have a few megabytes of it: not enough for the databases of a run. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Where tests make their data directories. Each commit of theirs waits until it is on the disk, and no
 * test pulls the machine's plug: in memory the same commits take a hundredth of the time.
 * @param chosen the directory for temporary files that `TMPDIR` names
 */
export function findRoomForTests(chosen: string | undefined): string {
  if (chosen !== undefined && chosen !== "") return chosen;
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= ROOM_BYTES) return MEMORY;
  } catch {
    // Other systems have none.
  }
  return tmpdir();
}
