import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "pg";

const MS_PER_TICK = 10;

export interface PostgresUse {
  /** Processor time of the server's processes, in milliseconds; NaN outside Linux. */
  readonly cpu_ms: number;
  readonly syncs: number;
}

/**
 * Returns the fields of /proc/PID/stat from the parent's PID on; empty after the process has ended.
 */
function statOf(pid: number | string): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 4)
      .split(" ")
      .map(Number);
  } catch {
    return [];
  }
}

function readCpu(backend: number): number {
  const [postmaster] = statOf(backend);
  if (postmaster === undefined) return Number.NaN;
  const ticks = readdirSync("/proc").map((pid) => {
    const [parent, ...rest] = statOf(pid);
    // User and system time, fields 14 and 15.
    return parent === postmaster ? (rest[9] ?? 0) + (rest[10] ?? 0) : 0;
  });
  return ticks.reduce((sum, each) => sum + each, 0) * MS_PER_TICK;
}

export async function readPostgresUse(database: Pool): Promise<PostgresUse> {
  const { rows } = await database.query(
    `select pg_backend_pid() as pid,
      (select sum(fsyncs)::int from pg_stat_io where object = 'wal') as syncs`,
  );
  return { cpu_ms: readCpu(rows[0].pid), syncs: rows[0].syncs };
}
