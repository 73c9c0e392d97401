import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { CONTRACT_TESTS } from "./server/testing/contract-tests.ts";
import { findRoomForTests } from "./server/testing/room-in-memory.ts";

const LONG = "**/*.long.test.ts";
const NIGHTLY = "**/*.nightly.test.ts";
const POSTGRES = "**/*.postgres.test.ts";

/** Test files about SQLite itself: its query plans, its statements, and copies of its file. */
const SQLITE = [
  "server/http/query-plans.test.ts",
  "server/modules/office/figures/figure-plans.test.ts",
  "server/modules/purchases/purchases/purchase-cost.test.ts",
  "server/admin/backup-commands.test.ts",
  "server/modules/safety/backups/**/*.test.ts",
  "server/modules/safety/updates/going-back.test.ts",
];

/** `POSTGRES_ALL=1` adds the server tests that CI runs on SQLite only (`npm run test:postgres`). */
const onPostgres = process.env.POSTGRES_ALL
  ? ["server/{modules,http,admin}/**/*.test.ts"]
  : CONTRACT_TESTS.map(({ file }) => file);

// Set before the first test, so that the tests' PostgreSQL has its data there too.
process.env.TMPDIR = findRoomForTests(process.env.TMPDIR);

/** A busy machine is not a fault: no test may depend on how fast it runs. */
const timeouts = { testTimeout: 180_000, hookTimeout: 180_000, teardownTimeout: 30_000 };

export default defineConfig({
  test: {
    ...timeouts,
    expect: { poll: { timeout: 60_000 } },
    env: {
      TZ: "UTC",
      // Programs that tests start need not translate and compile the same files again.
      NODE_COMPILE_CACHE: join(tmpdir(), "tillgate-compile-cache"),
    },
    maxWorkers: 2,
    tags: [
      {
        name: "thorough",
        description:
          "Takes a second and more, beside a telling one of the same thing: npm run test:long has it",
      },
    ],
    // The closing lines of the run name the retried tests, with the error of the first try.
    retry: process.env.CI === undefined ? 0 : 1,
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: "server",
          environment: "node",
          // Every test has its own gateway, so that files can share the loaded code, which is slow to load.
          isolate: false,
          globalSetup: ["server/testing/first-day.ts"],
          setupFiles: ["server/testing/seed.ts"],
          include: ["{server,electron,resources,e2e,packages,packaging,.ci}/**/*.test.ts"],
          exclude: [LONG, NIGHTLY, POSTGRES, "**/node_modules/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "renderer",
          environment: "jsdom",
          // All files share one page. The set-up file resets it after each test and reports leaks.
          isolate: false,
          setupFiles: ["renderer/lib/testing/setup.ts"],
          include: ["renderer/**/*.test.{ts,tsx}"],
          exclude: [LONG, NIGHTLY, "**/node_modules/**"],
        },
      },
      ...[LONG, NIGHTLY].map((include) => ({
        extends: true as const,
        test: {
          name: include === LONG ? "long" : "nightly",
          environment: "node" as const,
          globalSetup: ["server/testing/first-day.ts"],
          setupFiles: ["server/testing/seed.ts"],
          include: [include],
          exclude: ["**/node_modules/**"],
          testTimeout: 15 * 60_000,
          hookTimeout: 5 * 60_000,
        },
      })),
      {
        extends: true,
        test: {
          name: "postgres",
          environment: "node",
          isolate: false,
          globalSetup: ["server/testing/postgres-server.ts"],
          include: [POSTGRES, ...onPostgres],
          exclude: ["**/node_modules/**", LONG, NIGHTLY, ...SQLITE],
        },
      },
    ],
  },
});
