import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CATALOG_FILE_PART, type CatalogImport } from "../../../contract/pos/catalog-imports.ts";
import { openPool } from "../../../db/postgres/pool.ts";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { ProcessClock } from "../../../testing/process-clock.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

/** Two gateways that share a database but no memory. */
let here: TestGateway;
let there: TestGateway;
let owner: TestTill;
let clock: ProcessClock;
let isThereGone: boolean;
beforeEach(async () => {
  here = await startTestGateway();
  clock = new ProcessClock(here.clock);
  there = await startGatewayBeside(here, { clock });
  isThereGone = false;
  owner = await openTill(here);
});
afterEach(async () => {
  await here.expectCleanBooks();
  if (!isThereGone) await there.close();
  await here.close();
});

const LEASE_MS = 30 * SECOND;

type Method = "DELETE" | "GET" | "POST";

function call(gateway: TestGateway, method: Method, path = "", body?: unknown) {
  return gateway.call(method, `/pos/catalog/test/import${path}`, {
    headers: { cookie: owner.cookie },
    ...(body !== undefined && { body }),
  });
}

async function readCatalog(gateway: TestGateway) {
  const headers = { cookie: owner.cookie };
  return JSON.parse(
    await (await fetch(`${gateway.url}/pos/catalog/test/file`, { headers })).text(),
  );
}

async function changedFile(): Promise<Buffer> {
  const { topups, vouchers } = await readCatalog(here);
  for (const { cost } of topups) if (cost.fixed !== undefined) cost.fixed *= 2;
  const text = JSON.stringify({ topups, vouchers: vouchers.slice(1) });
  return Buffer.from(text.padEnd(3 * CATALOG_FILE_PART + 100));
}

interface UploadSteps {
  importId: string;
  parts: { offset: number; content: string }[];
}

async function begin(gateway: TestGateway, bytes: Buffer): Promise<UploadSteps> {
  const importId = randomUUID();
  const input = { importId, name: "mine.json", bytes: bytes.length };
  expect((await call(gateway, "POST", "", input)).status).toBe(200);
  const parts = [];
  for (let offset = 0; offset < bytes.length; offset += CATALOG_FILE_PART) {
    const content = bytes.subarray(offset, offset + CATALOG_FILE_PART).toString("base64");
    parts.push({ offset, content });
  }
  return { importId, parts };
}

async function sendInTurn({ importId, parts }: UploadSteps): Promise<void> {
  for (const [index, part] of parts.entries()) {
    const taken = await call(index % 2 === 0 ? there : here, "POST", "/parts", {
      importId,
      ...part,
    });
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
  }
}

async function stateAt(gateway: TestGateway): Promise<CatalogImport["state"] | undefined> {
  return (await call(gateway, "GET")).body.import?.state;
}

async function becomes(state: CatalogImport["state"], gateways = [here, there]): Promise<void> {
  for (const gateway of gateways) {
    await expect
      .poll(() => stateAt(gateway), { timeout: 60_000 })
      .not.toMatch(/^(CHECKING|WRITING)$/);
    expect((await call(gateway, "GET")).body.import).toMatchObject({ state });
  }
}

async function query(text: string): Promise<{ parts?: string }[]> {
  const pool = openPool(here.database!, 1);
  const { rows } = await pool.query(text);
  await pool.end();
  return rows;
}

const countParts = async () =>
  Number((await query("select count(*) as parts from catalog_file_parts"))[0]?.parts);

async function endThere(how: string): Promise<void> {
  if (how === "killed") {
    await killThere();
    await passLease();
  } else {
    isThereGone = true;
    await there.close();
    await here.advance(LEASE_MS);
  }
}

/** Ends the second gateway without a shutdown. Its leases expire by the database's clock. */
async function killThere(): Promise<void> {
  isThereGone = true;
  clock.end();
  await there.gateway.context.db.destroy();
}

async function passLease(): Promise<void> {
  await query(`update jobs set lease_until = lease_until - ${LEASE_MS}`);
  await here.advance(LEASE_MS + SECOND);
}

describe("a catalog file sent to two gateways", () => {
  it("joins the parts that both gateways received, and can be accepted at either gateway", async () => {
    const file = await begin(here, await changedFile());
    expect(file.parts.length).toBeGreaterThan(3);
    const [first, ...others] = file.parts;
    await call(here, "POST", "/parts", { importId: file.importId, ...first });
    const { body } = await call(there, "GET");
    expect(body.import).toMatchObject({ state: "RECEIVING", receivedBytes: CATALOG_FILE_PART });
    await sendInTurn({ ...file, parts: others });
    await becomes("READY");
    // The packed content of the checked file.
    expect(await countParts()).toBe(1);
    const costs = async (gateway: TestGateway) =>
      (await readCatalog(gateway)).topups.map(
        ({ cost }: { cost: { fixed?: number } }) => cost.fixed ?? 0,
      );
    const before = await costs(there);
    expect((await call(there, "POST", "/acceptance", { importId: file.importId })).status).toBe(
      200,
    );
    await becomes("DONE");
    expect(await countParts()).toBe(0);
    const after = before.map((cost: number) => 2 * cost);
    for (const gateway of [here, there]) {
      await expect.poll(() => costs(gateway), { timeout: 20_000 }).toEqual(after);
    }
  });

  it("contains a part once, even if both gateways received it, and ignores a repeated part after the check", async () => {
    const file = await begin(there, await changedFile());
    const { importId } = file;
    for (const part of file.parts) {
      const both = await Promise.all(
        [here, there].map((gateway) => call(gateway, "POST", "/parts", { importId, ...part })),
      );
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
    }
    await becomes("READY");
    const last = await call(there, "POST", "/parts", { importId, ...file.parts.at(-1) });
    expect(last.body.import).toMatchObject({ state: "READY", importId });
    const again = { importId, name: "mine.json", bytes: 10 };
    expect((await call(there, "POST", "", again)).body.import.state).toBe("READY");
  });

  it("can be deleted at a gateway while the other gateway checks it", async () => {
    const file = await begin(here, await changedFile());
    await sendInTurn(file);
    const left = await call(there, "DELETE");
    expect(left.body).toEqual({ fromProvider: false });
    for (const gateway of [here, there]) await gateway.settle();
    expect((await call(here, "GET")).body).toEqual({ fromProvider: false });
    expect(await countParts()).toBe(0);
  });

  it("expires after a day without activity, and is deleted", async () => {
    const file = await begin(here, await changedFile());
    const { importId, parts } = file;
    const [first, second, third] = parts;
    await call(there, "POST", "/parts", { importId, ...first });
    here.clock.set(here.clock.now() + DAY - SECOND);
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    expect((await call(here, "POST", "/parts", { importId, ...second })).status).toBe(200);
    here.clock.set(here.clock.now() + DAY - SECOND);
    await there.gateway.context.housekeeping.clearAway();
    expect(await countParts()).toBe(2);
    here.clock.set(here.clock.now() + SECOND);
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    expect((await call(here, "GET")).body).toEqual({ fromProvider: false });
    expect((await call(there, "POST", "/parts", { importId, ...third })).status).toBe(404);
    await there.gateway.context.housekeeping.clearAway();
    expect(await countParts()).toBe(0);
    expect(await query("select import_id from catalog_files")).toEqual([]);
  });

  it.each(["ended in order", "killed"])(
    "a catalog file that is sent to two gateways is checked and written by the other gateway after the first was %s",
    async (how) => {
      const { importId, parts } = await begin(there, await changedFile());
      for (const part of parts) await call(there, "POST", "/parts", { importId, ...part });
      await endThere(how);
      await becomes("READY", [here]);
      clock = new ProcessClock(here.clock);
      there = await startGatewayBeside(here, { clock });
      isThereGone = false;
      await call(there, "POST", "/acceptance", { importId });
      await endThere(how);
      await becomes("DONE", [here]);
      const { list } = (await owner.pos("GET", "/catalog/test/updates")).body;
      const imports = list.filter(({ kind }: { kind: string }) => kind === "IMPORT");
      expect(imports).toMatchObject([{ source: "mine.json", staff: { name: "Olga" } }]);
    },
  );
});
