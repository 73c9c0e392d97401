import SQLite from "better-sqlite3";
import type { Clock } from "../../lib/clock.ts";
import { type CommitCount, CommitWitness, isMissed } from "../commit-witness.ts";
import type { WriteHealth } from "../write-health.ts";

/** Counts a database's commits: the time of each, and who is notified. */
export interface Counting {
  clock: Clock;
  health: WriteHealth;
}

/**
 * Counts the transactions that changed data of the shop, in the transaction itself, and notifies the
 * witness beside the database once they are on the disk.
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
   * @returns undefined if its loss would not matter, or the database does not count yet
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
      // A database that is being migrated may not have the table yet.
      if (error instanceof SQLite.SqliteError && error.code === "SQLITE_ERROR") return undefined;
      throw error;
    }
  }
}
