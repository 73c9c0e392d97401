import SQLite from "better-sqlite3";
import type { Clock } from "../../lib/clock.ts";
import { type CommitCount, CommitWitness, isMissed } from "../commit-witness.ts";
import type { WriteHealth } from "../write-health.ts";

export interface Counting {
  clock: Clock;
  health: WriteHealth;
}

/**
 * Counts transactions that change the shop's data; the count is part of the transaction. When the
 * commit is on the disk, records it in the witness file beside the database.
 */
export class CommitCounter {
  readonly #database: SQLite.Database;
  readonly #counting: Counting;
  readonly #witness: CommitWitness;
  #next: SQLite.Statement<[number], CommitCount> | undefined;

  constructor(database: SQLite.Database, dataDir: string, counting: Counting) {
    this.#database = database;
    this.#counting = counting;
    this.#witness = new CommitWitness(dataDir);
  }

  /**
   * Counts the current transaction, which has written to these tables.
   * @returns undefined if losing the transaction would not matter, or the
   * database has no counter yet
   */
  count(written: ReadonlySet<string>): CommitCount | undefined {
    if (!isMissed(written)) return undefined;
    this.#next ??= this.#prepareNext();
    return this.#next?.get(this.#counting.clock.now());
  }

  committed(count: CommitCount | undefined): void {
    if (count) this.#witness.note(count);
    this.#counting.health.succeeded();
  }

  close(): void {
    this.#witness.close();
  }

  #prepareNext(): SQLite.Statement<[number], CommitCount> | undefined {
    try {
      return this.#database.prepare<[number], CommitCount>(
        `update commit_count set commits = commits + 1, committed_at = ? where one = 1
          returning commits, transactions, committed_at as committedAt`,
      );
    } catch (error) {
      // The table may be missing while the database is being migrated.
      if (error instanceof SQLite.SqliteError && error.code === "SQLITE_ERROR") return undefined;
      throw error;
    }
  }
}
