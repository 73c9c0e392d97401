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

/** The last state of the database that a process knows, in a file of its data directory. */
const Witness = Type.Object({
  /** Rises with each record of this file. */
  number: Type.Integer(),
  /** Names this data directory in the database. */
  process: Type.String(),
  identity: Type.String(),
  /** Position in the server's write-ahead log up to which everything was on its disk. */
  flushed: Type.Number(),
  /** The last commit of each writing connection, by its number. */
  marks: Type.Record(Type.String(), Type.Integer()),
  committedAt: Type.Number(),
});
type Witness = Static<typeof Witness>;

const SLOT_BYTES = 1024;
const NAME = "postgres-commits";

/** Commits of this process that an older state of the database lacks. */
export interface OlderHistory {
  /** Number of commits of this process that are missing. */
  commits: number;
  /** The last commit of this process that exists, and the last one of all. */
  since: number;
  until: number;
}

/** The last known commits of this process and of the database. */
interface Comparison {
  identity: string;
  isSame: boolean;
  /** Undefined if every commit of this process exists. */
  older: OlderHistory | undefined;
}

interface Options {
  dataDir: string;
  clock: Clock;
  /**
   * Called in a transaction that has every account, before this process writes anything, when the database may be an
   * older state of itself, or another server's.
   * @param older undefined where no commit of this process is missing
   */
  onOther(tx: Tx, older: OlderHistory | undefined): Promise<void>;
}

interface Facts {
  system: string | null;
  segment: string;
  /** Null if the server does not report it. */
  flushed: string | null;
  database: string;
  relation: string;
}

/** The timeline is in the first characters of the name of a file of the write-ahead log. */
const TIMELINE_CHARACTERS = 8;

const SYSTEM = "(select system_identifier::text from pg_control_system())";
const LOG = `pg_walfile_name(pg_current_wal_insert_lsn()) as segment,
  pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text as flushed`;
const NO_LOG = "'' as segment, null as flushed";

/** A server that hides some of its identity from this user is identified by the rest. */
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
 * Asks whether another gateway has had the database open for longer than this process: then it was not put back in
 * between. The start of connections of other users is hidden from this one, which counts as none.
 */
const askForOthers = (age_s: number) => `select exists (
  select from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.objid = ${GATEWAY_LOCK} and l.granted
    and a.datname = current_database()
    and a.backend_start < clock_timestamp() - make_interval(secs => ${age_s})) as there`;

/**
 * Recognises that the database is an older state of itself (a restored dump or base backup, a point in time, a standby
 * that lacked commits), before this process writes anything on a new connection (rules#fault-older-postgres). Two
 * things are compared. The database keeps its identity in a row: the server's system identifier and timeline, the
 * database and a table, one of which differs wherever a dump is read back or a server takes over. And the data directory
 * keeps the last commit of each connection, which a copy of the server's files lacks. A data directory without a record
 * cannot tell: then only another gateway that has the database open shows that it is the present one.
 */
export class HistoryWatch {
  readonly #options: Options;
  readonly #path: string;
  readonly #witness: Witness;
  readonly #since = performance.now();
  #file: SlotFile | undefined;
  #isCompared = false;
  /** Whether this process treated the database as an older state, because it had no record of it. */
  #isSettled = false;
  /** Of the current transaction of each connection. */
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

  /** Returns whether a database with our tables was compared. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** To be called with each new writing connection, before it is used. */
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
   * Returns the row that counts a connection's current transaction.
   * @param written the tables that it has written to
   * @returns undefined if its loss would not matter, or the row cannot exist yet
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

  /** Stores that it was counted, but not committed yet. */
  counted(connection: number, marked: Marked): void {
    this.#counted.set(connection, marked);
  }

  /** Stores that the transaction of a connection is committed. */
  committed(connection: number): void {
    const marked = this.#counted.get(connection);
    this.#counted.delete(connection);
    if (!marked) return;
    this.#witness.marks[connection] = marked.commits;
    const flushed = Math.max(marked.flushed, this.#witness.flushed);
    this.#note({ committedAt: this.#options.clock.now(), flushed });
  }

  /** Stores the server's position. */
  heard(flushed: number): void {
    // A different server may respond here before the comparison.
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

  /** Returns whether nothing shows that the database is the present one. */
  async #isUnknown(client: ClientBase): Promise<boolean> {
    if (this.#witness.identity !== "" || this.#isSettled) return false;
    const age_s = (performance.now() - this.#since) / SECOND;
    return (await askAtFirst<{ there: boolean }>(client, askForOthers(age_s)))?.there !== true;
  }

  /** Under the locks of all writers: another connection may have done it already. */
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
    // All processes drop their caches, including this one.
    await sql`select pg_notify(${COMMITS_CHANNEL}, 'history')`.execute(tx);
  }

  #markIds(): string[] {
    const connections = Object.keys(this.#witness.marks);
    // PostgreSQL refuses `in ()`.
    return ["", ...connections.map((connection) => this.#markOf(Number(connection)))];
  }

  /** Returns the name of a writing connection, in the row that counts its commits. */
  #markOf(connection: number): string {
    return `${this.#witness.process}:${connection}`;
  }

  #note(change: Partial<Witness>): void {
    // No file is created before there is a database to compare with.
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

/** Opens a database on this one connection, which stays open. */
function openOn(client: ClientBase): Kysely<Tables> {
  const connection = { query: client.query.bind(client), release() {} };
  const pool = { connect: async () => connection, async end() {} } as unknown as PostgresPool;
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
