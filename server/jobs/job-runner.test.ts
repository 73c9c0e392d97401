import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, openDatabase } from "../db/database.ts";
import { watchReference } from "../db/reference-watch.ts";
import { createTransactor, type Transactor } from "../db/transactor.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { openEmptyFile } from "../testing/empty-database.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { JobHandler } from "./job-kinds.ts";
import type { JobLeases } from "./job-leases.ts";
import { JobRunner } from "./job-runner.ts";
import { cancelJob, enqueueJob } from "./job-store.ts";

let directory: string;
let db: Db;
let transactor: Transactor;
let clock: FakeClock;
let runner: JobRunner;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "tillgate-jobs-"));
  db = await openEmptyFile(directory);
  clock = new FakeClock(1_000_000);
  transactor = createTransactor(db);
  runner = createRunner();
});
afterEach(async () => {
  await runner.stop();
  await db.destroy();
  rmSync(directory, { recursive: true });
});

type Leases = Pick<JobLeases, keyof JobLeases>;

function createRunner(stamp?: () => number, leases?: Leases): JobRunner {
  const log = pino({ level: "silent" });
  return new JobRunner({ db, transactor, clock, log, stamp, leases });
}

/** Leases of a database that other processes share. By default, none of them takes a job. */
function createLeases(behaviour: Partial<Leases>): Leases {
  return {
    owner: "this process",
    takeable: () => sql<boolean>`true`,
    take: async (wanted) => [...wanted],
    has: async () => true,
    findWait: async () => Infinity,
    keep: () => undefined,
    releaseEarlier: async () => undefined,
    close: async () => undefined,
    ...behaviour,
  };
}

function enqueue(subject: string, runAt = clock.now(), kind = "work"): Promise<void> {
  return transactor.transact("default", (tx) => enqueueJob(tx, { kind, subject, runAt }));
}

function jobs() {
  return db.selectFrom("jobs").selectAll().orderBy("subject").execute();
}

async function pass(milliseconds: number): Promise<void> {
  const target = clock.now() + milliseconds;
  for (;;) {
    await runner.idle();
    const next = clock.nextTimer();
    if (next === undefined || next > target) break;
    clock.set(Math.max(next, clock.now()));
  }
  clock.set(target);
  await runner.idle();
}

function createGate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe("a stopped runner", () => {
  it("leaves no timer when it stops during a search for jobs", async () => {
    runner.register("work", async () => undefined);
    await enqueue("later", clock.now() + MINUTE);
    await runner.start();
    await runner.stop();
    expect(clock.nextTimer()).toBeUndefined();
  });
});

describe("due jobs", () => {
  it("keep running in free lanes while jobs of a full lane enqueue more due jobs", async () => {
    let left = 50;
    runner.register(
      "work",
      async (subject) => {
        left -= 1;
        if (left > 0) await enqueue(subject);
      },
      { concurrency: 1 },
    );
    await enqueue("steps");
    await runner.start();
    for (let turn = 0; turn < 200 && left > 0; turn++) {
      await runner.idle();
      await new Promise(setImmediate);
    }
    expect(left).toBe(0);
  });

  it("run once each, earliest due time first, and are then deleted", async () => {
    const ran: string[] = [];
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await enqueue("third", clock.now());
    await enqueue("first", clock.now() - 2_000);
    await enqueue("second", clock.now() - 1_000);
    await enqueue("later", clock.now() + MINUTE);
    await runner.start();
    await runner.idle();
    expect(ran).toEqual(["first", "second", "third"]);
    expect((await jobs()).map(({ subject }) => subject)).toEqual(["later"]);
    await pass(MINUTE - 1);
    expect(ran).toHaveLength(3);
    await pass(1);
    expect(ran).toEqual(["first", "second", "third", "later"]);
    expect(await jobs()).toEqual([]);
  });

  it("wait until the runner starts", async () => {
    const ran: string[] = [];
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await enqueue("early");
    await runner.idle();
    expect(ran).toEqual([]);
  });

  it("run as soon as the transaction that enqueues them commits, without a timer", async () => {
    const ran: string[] = [];
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await runner.start();
    await runner.idle();
    await enqueue("now");
    await runner.idle();
    expect(ran).toEqual(["now"]);
  });

  it("pause for a second after eight reads whose jobs another process took first", async () => {
    let reads = 0;
    const take = async () => {
      reads += 1;
      return [];
    };
    runner = createRunner(undefined, createLeases({ take }));
    await enqueue("theirs");
    await runner.start();
    await runner.idle();
    expect(reads).toBe(8);
    await pass(SECOND - 1);
    expect(reads).toBe(8);
    await pass(1);
    expect(reads).toBe(16);
  });

  it("run within a second after another process enqueues them", async () => {
    const watch = watchReference(db, transactor);
    runner = createRunner(watch.foreign);
    const ran: string[] = [];
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await runner.start();
    await runner.idle();
    const theirs = openDatabase(directory);
    const commandLine = createTransactor(theirs);
    await commandLine.transact("default", (tx) =>
      enqueueJob(tx, { kind: "work", subject: "theirs", runAt: clock.now() }),
    );
    await pass(SECOND);
    expect(ran).toEqual(["theirs"]);
    await theirs.destroy();
  });

  it("run eight at a time at most; each further job runs when a running job ends", async () => {
    const gate = createGate();
    let running = 0;
    let most = 0;
    let ran = 0;
    runner.register("work", async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.opened;
      running -= 1;
      ran += 1;
    });
    await transactor.transact("default", async (tx) => {
      for (let n = 0; n < 30; n++) {
        await enqueueJob(tx, { kind: "work", subject: `${n}`, runAt: clock.now() });
      }
    });
    await runner.start();
    while (running < 8) await new Promise(setImmediate);
    gate.open();
    await runner.idle();
    expect({ most, ran }).toEqual({ most: 8, ran: 30 });
  });

  it("run in all other kinds and lanes while a lane is full", async () => {
    const gate = createGate();
    const ran: string[] = [];
    runner.register(
      "ask",
      async (subject) => {
        if (subject.startsWith("live/")) await gate.opened;
        ran.push(subject);
      },
      { concurrency: 3, laneOf: (subject) => subject.slice(0, 5) },
    );
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await transactor.transact("default", async (tx) => {
      for (let n = 0; n < 100; n++) {
        await enqueueJob(tx, { kind: "ask", subject: `live/${n}`, runAt: clock.now() - 1 });
      }
    });
    await runner.start();
    await enqueue("test/1", clock.now(), "ask");
    await enqueue("report");
    await enqueue("later", clock.now() + SECOND);
    while (ran.length < 2) await new Promise(setImmediate);
    expect(ran.sort()).toEqual(["report", "test/1"]);
    clock.set(clock.now() + SECOND);
    while (ran.length < 3) await new Promise(setImmediate);
    expect(ran[2]).toBe("later");
    gate.open();
    await runner.idle();
    expect(ran).toHaveLength(103);
    expect(await jobs()).toEqual([]);
  });

  it("have a single row per kind and subject: a new deadline replaces the old one", async () => {
    await enqueue("same", clock.now() + MINUTE);
    await enqueue("same", clock.now() + 2 * MINUTE);
    await enqueue("same", clock.now() + MINUTE, "other");
    expect((await jobs()).map(({ kind, run_at }) => [kind, run_at - clock.now()])).toEqual([
      ["other", MINUTE],
      ["work", 2 * MINUTE],
    ]);
  });

  it("run after the machine's clock jumps forward past their deadline", async () => {
    const ran: string[] = [];
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await enqueue("far", clock.now() + 60 * MINUTE);
    await runner.start();
    await runner.idle();
    expect(clock.nextTimer()).toBe(clock.now() + 30 * SECOND);
    clock.set(clock.now() + 120 * MINUTE);
    await runner.idle();
    expect(ran).toEqual(["far"]);
  });
});

describe("a job handler", () => {
  it("runs again at the new deadline that it sets for its own job, and not earlier", async () => {
    const times: number[] = [];
    runner.register("work", async (subject) => {
      times.push(clock.now());
      if (times.length < 3) await enqueue(subject, clock.now() + MINUTE);
    });
    const start = clock.now();
    await enqueue("again");
    await runner.start();
    await pass(10 * MINUTE);
    expect(times).toEqual([start, start + MINUTE, start + 2 * MINUTE]);
    expect(await jobs()).toEqual([]);
  });

  it("runs again at once if its job gets a nearer deadline during the run", async () => {
    const gate = createGate();
    let calls = 0;
    runner.register("work", async () => {
      calls += 1;
      if (calls === 1) await gate.opened;
    });
    await enqueue("pushed");
    await runner.start();
    while (calls === 0) await new Promise(setImmediate);
    await enqueue("pushed");
    gate.open();
    await runner.idle();
    expect(calls).toBe(2);
    expect(await jobs()).toEqual([]);
  });

  it("runs again if it enqueues its own job for the same instant", async () => {
    let calls = 0;
    runner.register("work", async (subject) => {
      calls += 1;
      if (calls < 3) await enqueue(subject);
    });
    await enqueue("again");
    await runner.start();
    await runner.idle();
    expect(calls).toBe(3);
    expect(await jobs()).toEqual([]);
  });

  it("does not run again if the transaction that sets the job's new deadline fails", async () => {
    let calls = 0;
    runner.register("work", async (subject) => {
      calls += 1;
      const other = enqueue("other", clock.now() + MINUTE);
      await expect(
        transactor.transact("default", async (tx) => {
          await enqueueJob(tx, { kind: "work", subject, runAt: clock.now() + MINUTE });
          throw new Error("refused");
        }),
      ).rejects.toThrow("refused");
      await other;
    });
    await enqueue("refused");
    await runner.start();
    await runner.idle();
    expect(calls).toBe(1);
    expect((await jobs()).map(({ subject }) => subject)).toEqual(["other"]);
  });

  it("does not run at a deadline that another process has postponed", async () => {
    const gate = createGate();
    let calls = 0;
    runner.register("work", async () => {
      calls += 1;
      await gate.opened;
    });
    await enqueue("theirs");
    await runner.start();
    while (calls === 0) await new Promise(setImmediate);
    const theirs = openDatabase(directory);
    await createTransactor(theirs).transact("default", (tx) =>
      enqueueJob(tx, { kind: "work", subject: "theirs", runAt: clock.now() + MINUTE }),
    );
    await theirs.destroy();
    gate.open();
    await runner.idle();
    expect(calls).toBe(1);
    expect((await jobs()).map(({ run_at }) => run_at)).toEqual([clock.now() + MINUTE]);
  });

  it("does not run again after it cancels its own job", async () => {
    let calls = 0;
    runner.register("work", async (subject) => {
      calls += 1;
      await transactor.transact("default", (tx) => cancelJob(tx, "work", subject));
    });
    await enqueue("cancelled");
    await runner.start();
    await pass(10 * MINUTE);
    expect(calls).toBe(1);
  });

  it("runs again after 1, 2, 4 … seconds, at most five minutes, while it throws", async () => {
    const times: number[] = [];
    runner.register("work", async () => {
      times.push(clock.now());
      throw new Error(`failure ${times.length}`);
    });
    await enqueue("broken");
    await runner.start();
    await runner.idle();
    const [job] = await jobs();
    expect(job).toMatchObject({ attempts: 1, last_error: "failure 1" });
    await pass(25 * MINUTE);
    const pauses = times.slice(1).map((time, n) => (time - times[n]!) / SECOND);
    expect(pauses.slice(0, 11)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    const [later] = await jobs();
    expect(later).toMatchObject({
      attempts: times.length,
      last_error: `failure ${times.length}`,
    });
  });

  it("does not run again after a retry succeeds", async () => {
    let calls = 0;
    runner.register("work", async () => {
      calls += 1;
      if (calls === 1) throw new Error("once");
    });
    await enqueue("recovers");
    await runner.start();
    await pass(SECOND);
    expect(calls).toBe(2);
    expect(await jobs()).toEqual([]);
  });

  it("does not stop other jobs from running when it throws", async () => {
    const ran: string[] = [];
    const handler: JobHandler = async (subject) => {
      if (subject === "bad") throw new Error("bad");
      ran.push(subject);
    };
    runner.register("work", handler);
    await enqueue("bad", clock.now() - 1);
    await enqueue("good");
    await runner.start();
    await runner.idle();
    expect(ran).toEqual(["good"]);
  });

  it("may be missing; its job then stays stored, with the reason", async () => {
    await enqueue("orphan", clock.now(), "unheard-of");
    await runner.start();
    await runner.idle();
    const [job] = await jobs();
    expect(job?.last_error).toBe("no handler for jobs of kind unheard-of");
  });
});

describe("the start and the stop of the job runner", () => {
  it("a start reruns the jobs that an earlier process had started", async () => {
    const gate = createGate();
    const ran: string[] = [];
    runner.register("work", async () => {
      ran.push("never ends");
      await gate.opened;
    });
    await enqueue("left-over");
    await runner.start();
    while (ran.length === 0) await new Promise(setImmediate);
    const next = createRunner();
    next.register("work", async (subject) => {
      ran.push(subject);
    });
    await next.idle();
    expect(ran).toHaveLength(1);
    await next.start();
    await next.idle();
    expect(ran).toEqual(["never ends", "left-over"]);
    await next.stop();
    gate.open();
  });

  it("a stop waits for running jobs, and starts no new jobs", async () => {
    const gate = createGate();
    const ran: string[] = [];
    let hasBegun = false;
    runner.register("work", async (subject) => {
      hasBegun = true;
      await gate.opened;
      ran.push(subject);
    });
    await enqueue("running");
    await runner.start();
    while (!hasBegun) await new Promise(setImmediate);
    let stopped = false;
    const stop = runner.stop().then(() => {
      stopped = true;
    });
    await enqueue("too-late");
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(stopped).toBe(false);
    gate.open();
    await stop;
    expect(ran).toEqual(["running"]);
    expect((await jobs()).map(({ subject }) => subject)).toEqual(["too-late"]);
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("a stop ends although the leases of its jobs cannot be released", async () => {
    const close = () => Promise.reject(new Error("the database is down"));
    runner = createRunner(undefined, createLeases({ close }));
    await runner.start();
    await runner.stop();
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("the next start runs the jobs that the stop left undone", async () => {
    await runner.start();
    await runner.stop();
    await enqueue("waiting");
    const ran: string[] = [];
    runner = createRunner();
    runner.register("work", async (subject) => {
      ran.push(subject);
    });
    await runner.start();
    await runner.idle();
    expect(ran).toEqual(["waiting"]);
  });
});

describe("a change of the machine's clock", () => {
  it("leaves the remaining times unchanged if it sets the clock back, and runs each job once", async () => {
    const times: number[] = [];
    runner.register("work", async () => {
      times.push(clock.now());
    });
    await enqueue("later", clock.now() + 15 * MINUTE);
    await runner.start();
    await runner.idle();
    clock.set(clock.now() - 1_440 * MINUTE);
    runner.wake();
    await runner.idle();
    const moved = clock.now();
    await pass(60 * MINUTE);
    expect(times).toEqual([moved + 15 * MINUTE]);
  });

  it("changes no deadline if it sets the clock back by only seconds", async () => {
    await enqueue("later", clock.now() + 15 * MINUTE);
    await runner.start();
    await runner.idle();
    const [before] = await jobs();
    clock.set(clock.now() - 59 * SECOND);
    runner.wake();
    await runner.idle();
    expect(await jobs()).toEqual([before]);
  });

  it("runs each due job once if it sets the clock forward by a year", async () => {
    let calls = 0;
    runner.register("work", async (subject) => {
      calls += 1;
      await enqueue(subject, clock.now() + 60 * MINUTE);
    });
    await enqueue("hourly", clock.now() + 60 * MINUTE);
    await runner.start();
    await runner.idle();
    clock.set(clock.now() + 365 * 1_440 * MINUTE);
    await runner.idle();
    expect(calls).toBe(1);
  });
});
