import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { Environment } from "../contract/common.ts";
import { noteCleanEnd } from "../db/clean-end.ts";
import { getConnections } from "../db/connections.ts";
import type { Overrides } from "../gateway/base.ts";
import { createGateway, type Gateway } from "../index.ts";
import { sealKeyFile } from "../lib/sealer.ts";
import { auditBooks } from "../modules/books/audit/index.ts";
import { requireDeclared } from "./declared-refusals.ts";
import { copyEmptyFile } from "./empty-database.ts";
import { FakeClock } from "./fake-clock.ts";
import { createTestKeys, type FirstDay, TEST_OVERRIDES, testConfig } from "./first-day.ts";
import { createTestDatabase, dropTestDatabase } from "./postgres-database.ts";
import { nextPoll } from "./until.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
  body: any;
}

export interface TestGateway {
  readonly url: string;
  readonly dataDir: string;
  /** Address of the PostgreSQL database; undefined for SQLite. */
  readonly database: string | undefined;
  readonly clock: FakeClock;
  readonly gateway: Gateway;
  /**
   * Servers that the gateway calls. `held`: number of calls that the server deliberately never
   * answers.
   */
  readonly outside: Set<{ readonly held: number }>;
  v1(method: string, path: string, body?: unknown, environment?: Environment): Promise<Answer>;
  /**
   * Calls any path with any headers.
   * @throws Error if an operation of the till refuses with a code that it does not declare
   */
  call(method: string, path: string, init?: CallInit): Promise<Answer>;
  key(environment: Environment): string;
  /** Advances the clock, and runs all work that becomes due. */
  advance(milliseconds: number): Promise<void>;
  settle(): Promise<void>;
  restart(): Promise<void>;
  expectCleanBooks(): Promise<void>;
  close(): Promise<void>;
}

export interface CallInit {
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Number of turns of the event loop without work after which the gateway is idle: a commit waits
 * for several turns.
 */
const QUIET_TURNS = 32;

/**
 * Starts a real gateway with a database and HTTP, on a clock that the test controls. Copies the
 * directory of an earlier first start, which would take longer than most tests.
 */
export function startTestGateway(overrides: Overrides = {}): Promise<TestGateway> {
  return startGatewayAfter(inject("firstDay"), overrides);
}

/**
 * Starts a second gateway on the first gateway's PostgreSQL database, with the same secrets and
 * clock. Close the second before the first.
 */
export function startGatewayBeside(
  first: TestGateway,
  overrides: Overrides = {},
): Promise<TestGateway> {
  return startGatewayAfter(inject("firstDay"), overrides, { beside: first });
}

/** Starts a gateway that creates its shop in an empty database. The caller removes the database. */
export function startGatewayOn(database: string, overrides: Overrides = {}): Promise<TestGateway> {
  return startGatewayAfter(undefined, overrides, { database });
}

/**
 * Copies the data directory of the first day, marked as closed normally, so that opening it skips
 * the check.
 */
function copyFirstDay(firstDay: FirstDay, dataDir: string): void {
  cpSync(firstDay.dataDir, dataDir, { recursive: true });
  if (firstDay.database === undefined) noteCleanEnd(dataDir);
}

/** @returns address of the copied PostgreSQL database, if any */
export async function prepareFirstDay(dataDir: string): Promise<string | undefined> {
  const firstDay = inject("firstDay");
  copyFirstDay(firstDay, dataDir);
  return firstDay.database === undefined ? undefined : createTestDatabase(firstDay.database);
}

/**
 * Like `startTestGateway`, for a program outside the test runner.
 * @param firstDay undefined for a new first day, on SQLite
 */
export async function startGatewayAfter(
  firstDay: FirstDay | undefined,
  overrides: Overrides,
  {
    beside,
    database: given = beside?.database,
  }: {
    beside?: Pick<TestGateway, "clock" | "database" | "dataDir" | "gateway">;
    database?: string | undefined;
  } = {},
): Promise<TestGateway> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-test-"));
  const clock = beside?.clock ?? new FakeClock();
  let gateway: Gateway;
  let url: string;
  const outside: TestGateway["outside"] = new Set();

  async function open(): Promise<void> {
    const config = testConfig(dataDir, database);
    gateway = await createGateway(config, { clock, ...TEST_OVERRIDES, ...overrides });
    url = (await gateway.listen()).url;
    await gateway.noteWorks();
  }

  /**
   * Returns whether all open calls are calls that an external server deliberately never answers.
   */
  function isAnswered(): boolean {
    const held = [...outside].reduce((sum, server) => sum + server.held, 0);
    return gateway.context.sender.underWay === held;
  }

  async function settle(): Promise<void> {
    for (let answered = false; !answered; ) {
      const before = isAnswered();
      // The answer to a submission may arrive after its job has ended, so the gateway must stay
      // idle for longer than a commit takes.
      for (let turn = 0; turn < QUIET_TURNS; turn++) {
        await gateway.context.jobs.idle();
        await new Promise(setImmediate);
        // These turns are enough for SQLite, but a database server may need more time.
        if (getConnections(gateway.context.db).countUnderWay() === 0) continue;
        // Busy waiting would take the server's processor.
        await nextPoll(1);
        turn = 0;
      }
      answered = before && isAnswered();
    }
  }

  async function call(method: string, path: string, init: CallInit = {}): Promise<Answer> {
    const json = init.body !== undefined;
    const response = await fetch(url + path, {
      method,
      headers: { ...(json && { "content-type": "application/json" }), ...init.headers },
      ...(json && { body: typeof init.body === "string" ? init.body : JSON.stringify(init.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const body = isJson ? JSON.parse(text) : text;
    if (!response.ok && isJson) requireDeclared(method, path, body);
    return { status: response.status, headers: response.headers, body };
  }

  // A gateway with its own clock or ids cannot use the shared first day.
  const shared = overrides.clock || overrides.ids ? undefined : firstDay;
  const made =
    firstDay?.database === undefined || given !== undefined
      ? undefined
      : await createTestDatabase(shared && firstDay.database);
  const database = given ?? made;
  if (shared) copyFirstDay(shared, dataDir);
  else if (database === undefined) await copyEmptyFile(dataDir);
  if (beside) {
    // Encrypts a text, because the first encryption creates the key file.
    beside.gateway.context.keyFile.seal("");
    cpSync(sealKeyFile(beside.dataDir), sealKeyFile(dataDir));
  }
  await open();
  const keys = shared?.keys ?? (await createTestKeys(gateway!));

  return {
    get url() {
      return url;
    },
    get gateway() {
      return gateway;
    },
    dataDir,
    database,
    clock,
    outside,
    call,
    settle,
    key: (environment) => keys[environment],
    v1(method, path, body, environment = "test") {
      const headers = { authorization: `Bearer ${keys[environment]}` };
      return call(method, `/v1${path}`, body === undefined ? { headers } : { headers, body });
    },
    async advance(milliseconds) {
      const target = clock.now() + milliseconds;
      await settle();
      for (;;) {
        const next = clock.nextTimer();
        if (next === undefined || next > target) break;
        clock.set(Math.max(next, clock.now()));
        await settle();
      }
      clock.set(target);
      await settle();
    },
    async restart() {
      await gateway.close();
      await open();
    },
    async expectCleanBooks() {
      const { checks } = await auditBooks(gateway.context.db);
      const broken = checks.filter((check) => check.violations.length > 0);
      if (broken.length > 0) throw new Error(JSON.stringify(broken, null, 2));
    },
    async close() {
      await gateway.close();
      if (made !== undefined) await dropTestDatabase(made);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
