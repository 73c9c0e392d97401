import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import type { ClientBase } from "pg";
import { type Static, Type } from "typebox";
import { type Clock, SECOND } from "../../lib/clock.ts";
import { isMissed, readSlots, SlotFile } from "../commit-witness.ts";
import type { Tx } from "../handles.ts";
import type { Tables } from "../tables.ts";
import { COMMITS_CHANNEL, isUnavailable, type Mark, type Marked } from "./commit-notices.ts";
import { GATEWAY_LOCK } from "./exports-begun.ts";
import { askAtFirst } from "./pool.ts";

/** Last known state of the database, which a process stores in its data directory. */
const Witness = Type.Object({
  number: Type.Integer(),
  /** Identifies this data directory in the database. */
  process: Type.String(),
  identity: Type.String(),
  /** Position in the server's write-ahead log up to which everything was on the server's disk. */
  flushed: Type.Number(),
  /** Number of the last commit of each writing connection. */
  marks: Type.Record(Type.String(), Type.Integer()),
  committedAt: Type.Number(),
});
type Witness = Static<typeof Witness>;

const SLOT_BYTES = 1024;
const NAME = "postgres-commits";

/** Commits of this process that are missing in an older state of the database. */
export interface OlderHistory {
  commits: number;
  /**
   * `since`: time of the process's newest commit in the database. `until`: time of its last commit.
   */
  since: number;
  until: number;
}

interface Comparison {
  identity: string;
  isSame: boolean;
  /** Undefined if no commit of this process is missing. */
  older: OlderHistory | undefined;
}

interface Options {
  dataDir: string;
  clock: Clock;
  /**
   * Called before this process writes anything, if the database may be an older state or on another
   * server. The transaction has locked every account.
   * @param older undefined if no commit of this process is missing
   */
  onOther(tx: Tx, older: OlderHistory | undefined): Promise<void>;
}

interface Facts {
  system: string | null;
  segment: string;
  /** Null if the server does not report the position. */
  flushed: string | null;
  database: string;
  relation: string;
}

/** Number of characters at the start of a log file's name that contain the timeline. */
const TIMELINE_CHARACTERS = 8;

const SYSTEM = "(select system_identifier::text from pg_control_system())";
const LOG = `pg_walfile_name(pg_current_wal_insert_lsn()) as segment,
  pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as flushed`;
const NO_LOG = "'' as segment, null as flushed";

/** Queries for the server's identity. Each query needs fewer permissions than the previous one. */
const FACTS = [
  [SYSTEM, LOG],
  ["null", LOG],
  ["null", NO_LOG],
].map(
  ([system, log]) => `select ${system} as system, ${log},
  (select oid::text from pg_database where datname = current_database()) as database,
  'commit_marks'::regclass::oid::text as relation`,
);

/**
 * Selects whether another gateway has had the database open for longer than this process. Such a
 * gateway shows that the database was not restored in between. Connections of other database users
 * do not show their start, and are not counted.
 */
function selectLongerOpen(age_s: number): string {
  return `select exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.objid = ${GATEWAY_LOCK} and l.granted
    and a.datname = current_database()
    and a.backend_start < clock_timestamp() - make_interval(secs => ${age_s})) as there`;
}

/**
 * Detects that the database is an older state of itself, before this process writes on a new
 * connection (rules#fault-older-postgres). Causes are a restored dump or base backup, a
 * point-in-time recovery, and a standby that lacked commits. Two comparisons detect them:
 *
 * - A row stores the identity: the server's system identifier and timeline, the database and a
 * table. At least one of them differs after a dump is restored or another server takes over.
 * - The data directory stores the last commit of each connection. A copy of the server's files
 * lacks later commits.
 *
 * A database that no record describes counts as an older state, unless another gateway has had it
 * open for longer than this process.
 */
export class HistoryWatch {
  readonly #options: Options;
  readonly #path: string;
  readonly #witness: Witness;
  readonly #since = performance.now();
  #file: SlotFile | undefined;
  #isCompared = false;
  /** True after this process treated the database as an older state for lack of a record. */
  #isSettled = false;
  /** Count of the current transaction of each connection. */
  readonly #counted = new Map<number, Marked>();

  constructor(options: Options) {
    this.#options = options;
    this.#path = join(options.dataDir, NAME);
    this.#witness = readWitness(this.#path) ?? {
      number: 0,
      process: randomUUID(),
      identity: "",
      flushed: 0,
      marks: {},
      committedAt: 0,
    };
  }

  /** Returns whether the comparison ran on a database with Tillgate's tables. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** Must be called with each new writing connection, before its first use. */
  async compare(client: ClientBase): Promise<void> {
    const there = "select to_regclass('commit_marks') is not null as there";
    if (!(await askAtFirst<{ there: boolean }>(client, there))?.there) return;
    const facts = await readFacts(client);
    const db = openOn(client);
    const found = await this.#compareWith(db, facts);
    if (!found.isSame || found.older || (await this.#isUnknown(client))) {
      const settled = db.transaction().execute((tx) => this.#settle(tx, facts, client));
      await settled.catch((error: unknown) => {
        this.#isSettled = false;
        throw error;
      });
    }
    this.#isCompared = true;
    this.#note({ identity: found.identity, flushed: Number(facts.flushed) });
  }

  /**
   * Returns the row that counts the current transaction of a connection.
   * @param written the tables to which the transaction has written
   * @returns undefined if losing the transaction would not matter, or if the row cannot exist yet
   */
  nextMark(connection: number, written: ReadonlySet<string>): Mark | undefined {
    this.#counted.delete(connection);
    if (!this.#isCompared || !isMissed(written)) return undefined;
    return {
      id: this.#markOf(connection),
      at: this.#options.clock.now(),
      knowsLog: this.#witness.flushed > 0,
    };
  }

  /** Stores that the current transaction of a connection was counted, but not committed yet. */
  counted(connection: number, marked: Marked): void {
    this.#counted.set(connection, marked);
  }

  committed(connection: number): void {
    const marked = this.#counted.get(connection);
    this.#counted.delete(connection);
    if (!marked) return;
    this.#witness.marks[connection] = marked.commits;
    const flushed = Math.max(marked.flushed, this.#witness.flushed);
    this.#note({ committedAt: this.#options.clock.now(), flushed });
  }

  heard(flushed: number): void {
    // Before the comparison, the position may be that of another server.
    if (this.#isCompared && flushed > this.#witness.flushed) this.#note({ flushed });
  }

  close(): void {
    this.#file?.close();
  }

  async #compareWith(db: Kysely<Tables>, facts: Facts): Promise<Comparison> {
    const { system, segment, database, relation, flushed } = facts;
    const timeline = segment.slice(0, TIMELINE_CHARACTERS);
    const identity = [system ?? "unknown", timeline, database, relation].join("/");
    const row = await db.selectFrom("database_identity").select("identity").executeTakeFirst();
    const marks = await db
      .selectFrom("commit_marks")
      .selectAll()
      .where("mark_id", "in", this.#markIds())
      .execute();
    const known = new Map(marks.map(({ mark_id, commits }) => [mark_id, commits]));
    const commits = Object.entries(this.#witness.marks)
      .map(([connection, count]) => count - (known.get(this.#markOf(Number(connection))) ?? 0))
      .filter((missing) => missing > 0)
      .reduce((sum, missing) => sum + missing, 0);
    const isBehind = identity === this.#witness.identity && Number(flushed) < this.#witness.flushed;
    const isMoved = this.#witness.identity !== "" && identity !== this.#witness.identity;
    return {
      identity,
      isSame: row?.identity === identity && !isBehind && !isMoved,
      older:
        commits === 0
          ? undefined
          : {
              commits,
              since: Math.max(0, ...marks.map((mark) => mark.committed_at)),
              until: this.#witness.committedAt,
            },
    };
  }

  /**
   * Returns whether the database may be an older state, because this process has no record of it
   * and no other gateway has had it open for longer.
   */
  async #isUnknown(client: ClientBase): Promise<boolean> {
    if (this.#witness.identity !== "" || this.#isSettled) return false;
    const age_s = (performance.now() - this.#since) / SECOND;
    return (await askAtFirst<{ there: boolean }>(client, selectLongerOpen(age_s)))?.there !== true;
  }

  /**
   * Locks the accounts, because several connections may do this at the same time. Then stores the
   * new identity and the commit counts.
   */
  async #settle(tx: Tx, facts: Facts, client: ClientBase): Promise<void> {
    const accounts = tx.selectFrom("accounts").select("account_id").forNoKeyUpdate();
    await accounts.orderBy("account_id").execute();
    const { identity, isSame, older } = await this.#compareWith(tx, facts);
    if (isSame && !older && !(await this.#isUnknown(client))) return;
    await this.#options.onOther(tx, older);
    this.#isSettled = true;
    await tx
      .insertInto("database_identity")
      .values({ one: 1, identity })
      .onConflict((conflict) => conflict.column("one").doUpdateSet({ identity }))
      .execute();
    for (const [connection, commits] of Object.entries(this.#witness.marks)) {
      const row = {
        mark_id: this.#markOf(Number(connection)),
        committed_at: this.#options.clock.now(),
      };
      await tx
        .insertInto("commit_marks")
        .values({ ...row, commits })
        .onConflict((conflict) =>
          conflict.column("mark_id").doUpdateSet({
            commits: sql<number>`greatest(commit_marks.commits, excluded.commits)`,
          }),
        )
        .execute();
    }
    // Makes all processes drop their caches, including this process.
    await sql`select pg_notify(${COMMITS_CHANNEL}, 'history')`.execute(tx);
  }

  #markIds(): string[] {
    const connections = Object.keys(this.#witness.marks);
    // The empty text keeps the list from being empty: PostgreSQL refuses `in ()`.
    return ["", ...connections.map((connection) => this.#markOf(Number(connection)))];
  }

  #markOf(connection: number): string {
    return `${this.#witness.process}:${connection}`;
  }

  #note(change: Partial<Witness>): void {
    // Creates the file only when there is a database to compare.
    this.#file ??= new SlotFile(this.#path, SLOT_BYTES);
    Object.assign(this.#witness, change);
    this.#witness.number += 1;
    this.#file.write(this.#witness.number, this.#witness);
  }
}

function readWitness(path: string): Witness | undefined {
  return readSlots(Witness, path).toSorted((a, b) => b.number - a.number)[0];
}

async function readFacts(client: ClientBase): Promise<Facts> {
  for (const [index, facts] of FACTS.entries()) {
    try {
      return required(await askAtFirst<Facts>(client, facts));
    } catch (error) {
      if (!isUnavailable(error) || index === FACTS.length - 1) throw error;
    }
  }
  return required(undefined);
}

function required(facts: Facts | undefined): Facts {
  if (!facts) throw new Error("the database server did not say which one it is");
  return facts;
}

/** Returns a Kysely instance on this connection. Destroying it does not close the connection. */
function openOn(client: ClientBase): Kysely<Tables> {
  const connection = { query: client.query.bind(client), release() {} };
  const pool = { connect: async () => connection, async end() {} } as unknown as PostgresPool;
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
