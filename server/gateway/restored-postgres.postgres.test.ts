import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { runCommandLine } from "../admin/command-line.ts";
import { createGateway } from "../index.ts";
import { HOUR } from "../lib/clock.ts";
import type { Order, Provider, ProviderAnswer } from "../providers/provider.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { createTestDatabase } from "../testing/postgres-database.ts";
import { type OwnPostgres, startOwnPostgres } from "../testing/postgres-server.ts";
import { startGatewayOn, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const IDS = Array.from({ length: 20 }, (_, n) => `waits-${String(n).padStart(2, "0")}`);

const DELIVERED = {
  confirmation: {
    confirmationNumber: "123456789012345",
    externalReferenceId: "P-1",
    transactionTime: "2026-01-15T10:00:00.000Z",
  },
};

/** Stores deliveries outside the shop, so that a restore does not remove them. */
class RememberingProvider implements Provider {
  isBusy = true;
  readonly delivered = new Map<string, number>();
  inquiries = 0;

  async submit({ transactionId }: Order): Promise<ProviderAnswer> {
    if (this.isBusy) return { kind: "recoverable", message: "busy" };
    this.delivered.set(transactionId, (this.delivered.get(transactionId) ?? 0) + 1);
    return { kind: "fulfilled", fulfilment: DELIVERED };
  }

  async inquire({ transactionId }: Order): Promise<ProviderAnswer> {
    this.inquiries += 1;
    if (!this.delivered.has(transactionId)) return { kind: "not-received" };
    return { kind: "fulfilled", fulfilment: DELIVERED };
  }

  refund = async () => ({ kind: "refused", reason: "none" }) as const;
  readEsim = async () => undefined as never;
  findBill = async () => undefined as never;
}

let till: TestGateway;
let postgres: OwnPostgres | undefined;

afterEach(async () => {
  await till.close();
  await postgres?.stop();
  postgres = undefined;
});

async function buyAll(): Promise<void> {
  for (const transactionId of IDS) {
    const body = {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId,
      recipientPhoneNumber: "+50251234567",
    };
    expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  }
  await till.settle();
}

async function statusOfAll(): Promise<string[]> {
  const found = IDS.map(
    async (id) => (await till.v1("GET", `/topups/purchases/${id}`)).body.status,
  );
  return [...new Set(await Promise.all(found))];
}

async function isMissing(): Promise<boolean> {
  return (await till.call("GET", "/readyz")).body.missing;
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: inject("postgres") });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const nameOf = (address = "") => new URL(address).pathname.slice(1);

describe("a restored PostgreSQL with 20 purchases that wait at a provider", () => {
  it("sends no purchase twice after a restore from a dump under the same name", async () => {
    const provider = new RememberingProvider();
    till = await startTestGateway({ providers: { test: provider } });
    await buyAll();
    await till.gateway.close();
    const dump = await createTestDatabase(nameOf(till.database));
    await till.restart();
    provider.isBusy = false;
    await till.advance(HOUR);
    expect([...provider.delivered.values()]).toEqual(IDS.map(() => 1));

    await till.gateway.close();
    await onServer(
      `drop database ${nameOf(till.database)} with (force)`,
      `alter database ${nameOf(dump)} rename to ${nameOf(till.database)}`,
    );
    await till.restart();
    await till.advance(HOUR);
    expect([...provider.delivered.values()]).toEqual(IDS.map(() => 1));
    expect(provider.inquiries).toBeGreaterThanOrEqual(IDS.length);
    expect(await statusOfAll()).toEqual(["DONE"]);
    expect(await isMissing()).toBe(true);
    await till.expectCleanBooks();

    // A restore is detected only once.
    provider.inquiries = 0;
    await till.restart();
    await till.advance(HOUR);
    expect(provider.inquiries).toBe(0);
  });

  it.each([
    ["from files of the same server and timeline", false],
    ["to a point in time", true],
  ])(
    "sends no purchase twice after a restore %s while Tillgate runs",
    async (_case, asRecovery) => {
      const provider = new RememberingProvider();
      postgres = await startOwnPostgres();
      till = await startGatewayOn(postgres.address, { providers: { test: provider } });
      await buyAll();
      await till.gateway.close();
      await postgres.keepFiles();
      await till.restart();
      provider.isBusy = false;
      await till.advance(HOUR);
      expect([...provider.delivered.values()]).toEqual(IDS.map(() => 1));

      await postgres.putFilesBack({ asRecovery });
      // The first responses may still report lost connections.
      await expect.poll(async () => (await till.call("GET", "/readyz")).status).toBe(200);
      await till.advance(HOUR);
      await expect.poll(statusOfAll).toEqual(["DONE"]);
      expect([...provider.delivered.values()]).toEqual(IDS.map(() => 1));
      expect(await isMissing()).toBe(true);
      await till.expectCleanBooks();
    },
  );

  it.each([
    ["to a point in time", true],
    ["from files of the same server and timeline", false],
  ])(
    "sends no purchase twice after a restore %s, with an empty data directory",
    async (_case, asRecovery) => {
      const provider = new RememberingProvider();
      postgres = await startOwnPostgres();
      till = await startGatewayOn(postgres.address, { providers: { test: provider } });
      await buyAll();
      await till.gateway.close();
      await postgres.keepFiles();
      await till.restart();
      provider.isBusy = false;
      await till.advance(HOUR);
      await till.gateway.close();
      await postgres.putFilesBack({ asRecovery });
      // Removes the data directory's record of the database.
      rmSync(join(till.dataDir, "postgres-commits"));
      await till.restart();
      await till.advance(HOUR);
      expect([...provider.delivered.values()]).toEqual(IDS.map(() => 1));
      expect(await statusOfAll()).toEqual(["DONE"]);
    },
  );

  it("marks no purchase as unknown when a process with an empty data directory starts beside another", async () => {
    till = await startTestGateway({ providers: { test: new RememberingProvider() } });
    await buyAll();
    const dataDir = mkdtempSync(join(tmpdir(), "tillgate-joins-"));
    copyFileSync(join(till.dataDir, "secrets.key"), join(dataDir, "secrets.key"));
    const { clock } = till;
    const config = testConfig(dataDir, till.database);
    const joined = await createGateway(config, { ...TEST_OVERRIDES, clock });
    const purchases = await till.gateway.context.db
      .selectFrom("purchases")
      .select("doubt")
      .execute();
    expect(purchases).toEqual(IDS.map(() => ({ doubt: "NONE" })));
    await joined.close();
    rmSync(dataDir, { recursive: true });
  });

  it("sends no purchase twice after the owner runs tillgate backup restored", async () => {
    const provider = new RememberingProvider();
    till = await startTestGateway({ providers: { test: provider } });
    await buyAll();
    await till.gateway.close();
    for (const id of IDS) provider.delivered.set(id, 1);
    provider.isBusy = false;
    vi.stubEnv("TILLGATE_DATABASE", till.database);
    const said = await runCommandLine(["backup", "restored"], till.dataDir);
    vi.unstubAllEnvs();
    expect(said.stdout).toMatch(/^Unfinished purchases: 20\. Tillgate queries the provider/);
    await till.restart();
    await till.advance(HOUR);
    expect([...provider.delivered.values()]).toEqual(IDS.map(() => 1));
    expect(await statusOfAll()).toEqual(["DONE"]);
  });
});
