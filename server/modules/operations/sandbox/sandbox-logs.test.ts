import { existsSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { until } from "../../../testing/until.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

const AUTHOR = { accountId: "default" };
const GIB = 2 ** 30;
/** Pages of 16 KiB in 64 MiB. */
const MAX_PAGES = 4_096;
const SENT = 600;

function sandboxes() {
  const { namedSandboxes } = till.gateway.context;
  if (!namedSandboxes) throw new Error("the gateway has no sandboxes");
  return namedSandboxes;
}

function fileOf(name: string): string {
  return join(till.dataDir, "sandboxes", name, "requests.db");
}

async function request(key: string): Promise<void> {
  const init = { headers: { authorization: `Bearer ${key}` } };
  expect((await till.call("GET", "/v1/balance", init)).status).toBe(200);
}

async function closeIdle(): Promise<void> {
  till.clock.set(till.clock.now() + MINUTE);
  await until(() =>
    sandboxes()
      .list()
      .every(({ state }) => state === "CLOSED"),
  );
}

/** Creates a closed sandbox with one request in its log. */
async function createUsed(name: string): Promise<string> {
  const { key } = await sandboxes().create(AUTHOR, name);
  await request(key);
  await closeIdle();
  return key;
}

function inFile<T>(name: string, work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(fileOf(name));
  try {
    return work(file);
  } finally {
    file.close();
  }
}

function countRows(name: string): unknown {
  return inFile(name, (file) => file.prepare("select count(*) as n from api_requests").get())?.n;
}

function readNumbers(name: string) {
  const row = inFile(name, (file) =>
    file.prepare("select min(request_no) as a, max(request_no) as b from api_requests").get(),
  );
  return { oldest: Number(row?.a), newest: Number(row?.b) };
}

describe("the request log of a closed sandbox", () => {
  it("loses the requests older than 7 days, and keeps the others", async () => {
    await createUsed("ci");
    inFile("ci", (file) => {
      file.exec("update api_requests set request_no = 2");
      file.exec(`insert into api_requests select 1, account_id, environment, key_id, request_id,
        received_at - ${8 * DAY}, method, path, status, duration_ms, transaction_id, request_bytes,
        request_body, response_bytes, response_body from api_requests`);
    });
    expect(countRows("ci")).toBe(2);
    till.clock.set(till.clock.now() + DAY);
    await until(() => countRows("ci") === 1);
    till.clock.set(till.clock.now() + 7 * DAY);
    await until(() => !existsSync(fileOf("ci")));
    expect(sandboxes().list()).toMatchObject([{ name: "ci", state: "CLOSED" }]);
  });

  it("loses them at the start of a gateway that was stopped for a week", async () => {
    await createUsed("ci");
    await till.gateway.close();
    till.clock.set(till.clock.now() + 8 * DAY);
    await till.restart();
    await until(() => !existsSync(fileOf("ci")));
  });

  it("gives way if the logs of all sandboxes exceed 1 GiB, the least recently used first", async () => {
    await createUsed("old");
    const key = await createUsed("used");
    truncateSync(fileOf("old"), GIB);
    await request(key);
    await closeIdle();
    await until(() => !existsSync(fileOf("old")));
    expect(countRows("used")).toBe(2);
  });
});

describe("the request log of an open sandbox", () => {
  it("stays below 64 MiB: the oldest requests give way to new ones", async () => {
    const key = await createUsed("ci");
    inFile("ci", (file) => {
      const count = file.prepare("pragma page_count");
      while (Number(count.get()?.page_count) < MAX_PAGES - 2) {
        file.exec(`insert into api_requests select null, account_id, environment, key_id,
          request_id, received_at, method, path, status, duration_ms, transaction_id,
          request_bytes, hex(zeroblob(7000)), response_bytes, response_body
          from api_requests where request_no = 1`);
      }
    });
    const before = readNumbers("ci");
    for (let sent = 0; sent < SENT; sent++) await request(key);
    await closeIdle();
    expect(statSync(fileOf("ci")).size).toBeLessThanOrEqual(GIB / 16);
    const after = readNumbers("ci");
    expect(after.oldest).toBeGreaterThan(before.oldest);
    expect(after.newest).toBe(before.newest + SENT);
  });
});
