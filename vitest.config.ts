import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { CONTRACT_TESTS } from "./server/testing/contract-tests.ts";
import { findRoomForTests } from "./server/testing/room-in-memory.ts";

const LONG = "**/*.long.test.ts";
const NIGHTLY = "**/*.nightly.test.ts";
const POSTGRES = "**/*.postgres.test.ts";

/** Tests of SQLite itself: query plans, statements, and file copies. */
const SQLITE = [
  "server/http/query-plans.test.ts",
  "server/modules/office/figures/figure-plans.test.ts",
  "server/modules/purchases/purchases/purchase-cost.test.ts",
  "server/admin/backup-commands.test.ts",
  "server/modules/safety/backups/**/*.test.ts",
  "server/modules/safety/updates/going-back.test.ts",
];

/** `POSTGRES_ALL=1` adds the server tests that CI runs only on SQLite. */
const onPostgres = process.env.POSTGRES_ALL
  ? ["server/{modules,http,admin}/**/*.test.ts"]
  : CONTRACT_TESTS.map(({ file }) => file);

// The PostgreSQL server of the tests also stores its data in this folder.
process.env.TMPDIR = findRoomForTests(process.env.TMPDIR);

/** Long timeouts, because no test may depend on the machine's speed. */
const timeouts = { testTimeout: 180_000, hookTimeout: 180_000, teardownTimeout: 30_000 };

export default defineConfig({
  test: {
    ...timeouts,
    expect: { poll: { timeout: 60_000 } },
    env: {
      TZ: "UTC",
      // Programs started by tests share a compile cache.
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
    // The summary of a run names retried tests with their first error.
    retry: process.env.CI === undefined ? 0 : 1,
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: "server",
          environment: "node",
          // Test files share the loaded code, because loading takes long. Each test has its own
          // gateway.
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
          // All files share one page. The set-up file resets it after each test.
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
