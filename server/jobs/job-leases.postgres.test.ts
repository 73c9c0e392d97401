import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../db/database.ts";
import { migrations } from "../db/migrations/index.ts";
import { prepareSchema } from "../db/postgres/create-schema.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";
import { createTransactor, type Transactor } from "../db/transactor.ts";
import { SECOND } from "../lib/clock.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { ProcessClock } from "../testing/process-clock.ts";
import type { JobHandler } from "./job-kinds.ts";
import { JobLeases } from "./job-leases.ts";
import { JobRunner } from "./job-runner.ts";
import { enqueueJob, listNextJobs } from "./job-store.ts";

const LEASE_MS = 30 * SECOND;

interface Engine {
  db: Db;
  transactor: Transactor;
  runner: JobRunner;
  life: ProcessClock;
}

let address: string;
let clock: FakeClock;
let engines: Engine[];
let logged: { level: number; msg: string }[];

beforeEach(async () => {
  address = await createTestDatabase();
  clock = new FakeClock(1_000_000);
  engines = [];
  logged = [];
});
afterEach(async () => {
  for (const { runner, db } of engines) {
    await runner.stop();
    await db.destroy();
  }
  await dropTestDatabase(address);
});

async function open(
  place: string,
  handler: JobHandler,
  around: (transactor: Transactor) => Transactor = (transactor) => transactor,
): Promise<Engine> {
  const db = await openPostgresDatabase(address);
  if (engines.length === 0) {
    const writer = writerOf(db);
    await prepareSchema(db, migrations, { at: 0 });
    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values ('shop', 'USD', 100, 0)`.execute(writer);
  }
  const transactor = createTransactor(db);
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line)) });
  const life = new ProcessClock(clock);
  const common = { db, transactor, clock: life, log };
  const leases = new JobLeases({ ...common, place, transactor: around(transactor) });
  const runner = new JobRunner({ ...common, leases });
  runner.register("work", handler);
  const engine = { db, transactor, runner, life };
  engines.push(engine);
  return engine;
}

function enqueue({ transactor }: Engine, subjects: readonly string[]): Promise<void> {
  return transactor.transact("shop", async (tx) => {
    for (const subject of subjects) {
      await enqueueJob(tx, { kind: "work", subject, runAt: clock.now() });
    }
  });
}

function jobs({ db }: Engine) {
  return db.selectFrom("jobs").selectAll().orderBy("subject").execute();
}

/** Simulates passed time by shortening the stored leases, since leases use the database's clock. */
async function passInDatabase({ db }: Engine, milliseconds: number): Promise<void> {
  await writerOf(db)
    .updateTable("jobs")
    .set((eb) => ({ lease_until: eb("lease_until", "-", milliseconds) }))
    .execute();
}

describe("two job runners on one database", () => {
  it("run each of 1,000 jobs once, and each runner runs some of them", async () => {
    const ran: string[] = [];
    const shares = [0, 0];
    const { promise: bothRun, resolve: begin } = Promise.withResolvers<void>();
    const handlerOf = (index: number) => async (subject: string) => {
      ran.push(subject);
      shares[index]! += 1;
      // Both runners hold their jobs until each of them has started a job.
      if (Math.min(...shares) > 0) begin();
      await bothRun;
    };
    const first = await open("one", handlerOf(0));
    const second = await open("two", handlerOf(1));
    const subjects = Array.from({ length: 1_000 }, (_, n) => `shop/test/${1_000 + n}`);
    await enqueue(first, subjects);
    await Promise.all(engines.map(({ runner }) => runner.start()));
    while ((await jobs(first)).length > 0) {
      await Promise.all(engines.map(({ runner }) => runner.idle()));
      clock.set(clock.now() + SECOND);
    }
    await second.runner.idle();
    expect(ran.toSorted((a, b) => a.localeCompare(b))).toEqual(subjects);
  });

  it("count no failure for a job that the second process completed while the first process was suspended", async () => {
    const { promise: awake, resolve: wakeUp } = Promise.withResolvers<void>();
    const slept: string[] = [];
    const writeRow = (engine: () => Engine) =>
      engine().transactor.transact("shop", (tx) =>
        tx
          .insertInto("changes")
          .values({
            account_id: "shop",
            environment: "test",
            topic: "shop",
            subject: "once",
            changed_at: 0,
          })
          .execute(),
      );
    const first = await open("first", async (subject) => {
      slept.push(subject);
      await awake;
      await writeRow(() => first);
    });
    await sql`create unique index once on changes (subject)`.execute(writerOf(first.db));
    await enqueue(first, ["shop/test/1"]);
    await first.runner.start();
    await expect.poll(() => slept).toHaveLength(1);
    const second = await open("second", async () => void (await writeRow(() => second)));
    await passInDatabase(first, 2 * LEASE_MS);
    await second.runner.start();
    await expect.poll(async () => (await jobs(first)).length).toBe(0);
    wakeUp();
    await first.runner.idle();
    expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
    expect(logged.map(({ msg }) => msg)).toContain("another process has done a job");
  });

  it("leave jobs of an unknown kind to a process that has a handler", async () => {
    const ran: string[] = [];
    const later = await open("later", async () => {});
    later.runner.register("work of a later version", async (subject) => {
      ran.push(subject);
    });
    const before = await open("before", async () => {});
    const job = { kind: "work of a later version", subject: "shop/test/1", runAt: clock.now() };
    await before.transactor.transact("shop", (tx) => enqueueJob(tx, job));
    await before.runner.start();
    await before.runner.idle();
    // The job stays unstarted even if its lease belongs to a process that no longer exists.
    await writerOf(before.db)
      .updateTable("jobs")
      .set({ lease_owner: "gone", lease_until: 1 })
      .execute();
    before.runner.wake();
    await before.runner.idle();
    expect(await jobs(before)).toMatchObject([{ attempts: 0, lease_owner: "gone" }]);
    await later.runner.start();
    await later.runner.idle();
    expect({ ran, left: await jobs(later) }).toEqual({ ran: ["shop/test/1"], left: [] });
  });

  it("leave a job to the process that extends its lease, and take it over after that process is killed", async () => {
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    const first = await open("one", async (subject) => {
      ran.push(`one ${subject}`);
      await gate.promise;
    });
    const second = await open("two", async (subject) => {
      ran.push(`two ${subject}`);
    });
    const subjects = ["a", "b", "c"];
    await enqueue(first, subjects);
    await first.runner.start();
    await expect.poll(() => ran.length).toBe(3);
    await second.runner.start();
    await second.runner.idle();

    await passInDatabase(first, 15 * SECOND);
    const before = (await jobs(first)).map(({ lease_until }) => lease_until!);
    clock.set(clock.now() + 10 * SECOND);
    await expect
      .poll(async () => Math.min(...(await jobs(first)).map(({ lease_until }) => lease_until!)))
      .toBeGreaterThan(Math.max(...before) + 10 * SECOND);
    await second.runner.idle();
    expect(ran).toHaveLength(3);

    // The killed process no longer extends its leases, and the second process sleeps at most until
    // they expire.
    await kill(first);
    await passInDatabase(second, LEASE_MS - SECOND);
    second.runner.wake();
    await second.runner.idle();
    expect(ran).toHaveLength(3);
    expect(clock.nextTimer()).toBeLessThanOrEqual(clock.now() + SECOND);
    await passInDatabase(second, SECOND);
    clock.set(clock.now() + SECOND);
    await second.runner.idle();
    expect(ran.slice(3).toSorted()).toEqual(["two a", "two b", "two c"]);
    expect(await jobs(second)).toEqual([]);
    gate.resolve();
  });

  it("delete no job that another process has taken over", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ran: string[] = [];
    const handlerOf = (index: number) => async (subject: string) => {
      ran.push(`${index} ${subject}`);
      await gates[index]!.promise;
      if (index === 0 && subject === "fails") throw new Error("too late");
    };
    const first = await open("one", handlerOf(0));
    await enqueue(first, ["ends", "fails"]);
    await first.runner.start();
    await expect.poll(() => ran.length).toBe(2);
    // Simulates a suspension of the first process for longer than its leases last.
    await passInDatabase(first, LEASE_MS);
    const second = await open("two", handlerOf(1));
    await second.runner.start();
    await expect.poll(() => ran.length).toBe(4);
    const taken = await jobs(second);
    gates[0]!.resolve();
    await first.runner.idle();
    expect(await jobs(second)).toEqual(taken);
    gates[1]!.resolve();
    await second.runner.idle();
    expect(await jobs(second)).toEqual([]);
    expect(ran).toHaveLength(4);
  });
});

describe("a lease whose commit response was lost", () => {
  it("lets its process run the job, even while other jobs run", async () => {
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    let isLosing = false;
    const engine = await open(
      "one",
      async (subject) => {
        ran.push(subject);
        if (subject === "long") await gate.promise;
      },
      (transactor) => ({
        ...transactor,
        async transact(lock, work) {
          const result = await transactor.transact(lock, work);
          if (!isLosing) return result;
          isLosing = false;
          throw new Error("the answer to the commit was lost");
        },
      }),
    );
    await enqueue(engine, ["long"]);
    await engine.runner.start();
    await expect.poll(() => ran).toEqual(["long"]);
    isLosing = true;
    await enqueue(engine, ["lost"]);
    await expect.poll(() => isLosing).toBe(false);
    await expect.poll(() => clock.nextTimer()).toBe(clock.now() + SECOND);
    expect(ran).toEqual(["long"]);
    clock.set(clock.now() + SECOND);
    await expect.poll(() => ran).toEqual(["long", "lost"]);
    gate.resolve();
    await engine.runner.idle();
    expect(await jobs(engine)).toEqual([]);
  });

  it("expires, although the process extends the leases of its running jobs", async () => {
    const { db, transactor, life } = await open("one", async () => {});
    const log = pino({ level: "silent" });
    const leases = new JobLeases({ db, transactor, clock: life, log, place: "here" });
    const engine = engines[0]!;
    await enqueue(engine, ["runs", "unheard"]);
    const listed = await listNextJobs(db, 2, { without: [], free: leases.takeable(["work"]) });
    const taken = await leases.take(listed);
    expect(taken).toHaveLength(2);
    const runs = taken.find(({ subject }) => subject === "runs")!;
    const before = (await jobs(engine)).map((job) => job.lease_until!);
    leases.keep(() => new Set([runs.revision]));
    clock.set(clock.now() + 10 * SECOND);
    await expect.poll(async () => (await jobs(engine))[0]!.lease_until).toBeGreaterThan(before[0]!);
    expect((await jobs(engine))[1]!.lease_until).toBe(before[1]);
    await leases.close();
  });
});

describe("the start of a job runner", () => {
  it("resumes at once the jobs that the previous process of its directory left, but no jobs of other processes", async () => {
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    const handlerOf = (name: string) => async (subject: string) => {
      ran.push(`${name} ${subject}`);
      if (name !== "next") await gate.promise;
    };
    const first = await open("one", handlerOf("first"));
    await enqueue(first, ["a"]);
    await first.runner.start();
    await expect.poll(() => ran.length).toBe(1);
    const other = await open("two", handlerOf("other"));
    await enqueue(other, ["b"]);
    await other.runner.start();
    await expect.poll(() => ran.length).toBe(2);
    await kill(first);
    const next = await open("one", handlerOf("next"));
    await next.runner.start();
    await next.runner.idle();
    expect(ran).toEqual(["first a", "other b", "next a"]);
    gate.resolve();
  });
});

describe("the stop of a job runner", () => {
  it("releases at once the jobs that have not started", async () => {
    const first = await open("one", async () => {
      throw new Error("not now");
    });
    await enqueue(first, ["a"]);
    await first.runner.start();
    await first.runner.idle();
    await first.runner.stop();
    expect(await jobs(first)).toMatchObject([
      { subject: "a", attempts: 1, lease_owner: null, lease_until: null },
    ]);
  });
});

async function kill(engine: Engine): Promise<void> {
  engines = engines.filter((one) => one !== engine);
  engine.life.end();
  await engine.db.destroy();
}
