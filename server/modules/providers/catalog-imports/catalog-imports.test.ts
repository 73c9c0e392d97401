import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOG_FILE_PART, type CatalogImport } from "../../../contract/pos/catalog-imports.ts";
import { DAY } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { nextPoll } from "../../../testing/until.ts";

let shop: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  shop = await startTestGateway();
  owner = await openTill(shop);
});
afterAll(() => shop.close());

const path = (environment = "test") => `/catalog/${environment}/import`;

async function exported(environment = "test"): Promise<string> {
  const headers = { cookie: owner.cookie };
  const answer = await fetch(`${shop.url}/pos/catalog/${environment}/file`, { headers });
  expect(answer.headers.get("content-disposition")).toMatch(/filename="catalog-test-[\d-]+\.json"/);
  return answer.text();
}

async function send(text: string, name = "mine.json"): Promise<string> {
  const bytes = Buffer.from(text);
  const importId = randomUUID();
  const begun = await owner.pos("POST", path(), { importId, name, bytes: bytes.length });
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  for (let offset = 0; offset < bytes.length; offset += CATALOG_FILE_PART) {
    const content = bytes.subarray(offset, offset + CATALOG_FILE_PART).toString("base64");
    const taken = await owner.pos("POST", `${path()}/parts`, { importId, offset, content });
    expect(taken.status, JSON.stringify(taken.body)).toBe(200);
  }
  return importId;
}

async function settled(): Promise<CatalogImport> {
  for (;;) {
    const { body } = await owner.pos("GET", path());
    if (!["CHECKING", "WRITING"].includes(body.import?.state)) return body.import;
    await nextPoll();
  }
}

const accept = (importId: string) => owner.pos("POST", `${path()}/acceptance`, { importId });
const updates = async () => (await owner.pos("GET", "/catalog/test/updates")).body.list;

describe("an uploaded catalog file", () => {
  it("causes no difference if it is an unchanged export, and otherwise shows the effect of each change", {
    tags: ["thorough"],
  }, async () => {
    const text = await exported();
    await send(text);
    expect(await settled()).toMatchObject({ state: "SAME", name: "mine.json" });

    const catalog = JSON.parse(text);
    catalog.topups[0].cost.fixed *= 2;
    const gone = catalog.vouchers.pop();
    const importId = await send(
      JSON.stringify({ topups: catalog.topups, vouchers: catalog.vouchers }),
    );
    const ready = await settled();
    expect(ready).toMatchObject({ state: "READY", importId });
    expect(ready.difference).toMatchObject({
      isFirst: false,
      offers: { added: 0, removed: 1, dearer: 1, cheaper: 0, changed: 0 },
      removed: [{ offerId: gone.offerId }],
      costChanges: [{ offerId: catalog.topups[0].offerId, percent: 100 }],
    });
    // The catalog stays unchanged until the file is accepted.
    expect(JSON.parse(await exported()).vouchers).toHaveLength(catalog.vouchers.length + 1);

    expect((await accept(importId)).body.import.state).toBe("WRITING");
    expect(await settled()).toMatchObject({ state: "DONE" });
    const after = JSON.parse(await exported());
    expect(after.vouchers).toHaveLength(catalog.vouchers.length);
    expect(after.esim).toEqual(catalog.esim);
    expect((await updates())[0]).toMatchObject({
      kind: "IMPORT",
      source: "mine.json",
      changed: 1,
      removed: 1,
      staff: { name: "Olga" },
    });
    const trail = (await owner.pos("GET", "/audit-trail?limit=20")).body.list;
    const actions = trail.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["catalog.import", "catalog.export"]));
    // A repeated acceptance does not import the file again.
    const count = (await updates()).length;
    expect((await accept(importId)).body.import).toMatchObject({ state: "DONE", importId });
    expect(await settled()).toMatchObject({ state: "DONE" });
    expect(await updates()).toHaveLength(count);
  });

  it("names every error by line, entry and field, and appears in the history", async () => {
    const catalog = JSON.parse(await exported());
    const [first, second] = catalog.topups;
    const bad = [
      { ...first, cost: { ...first.cost, fixed: -1 } },
      { ...second, country: "xx" },
    ];
    await send(`[\n${bad.map((offer) => JSON.stringify(offer)).join(",\n")}\n]`, "bad.json");
    const faulty = await settled();
    expect(faulty.state).toBe("FAULTY");
    const fields = faulty.faults?.map(({ line, field }) => `${line} ${field}`);
    expect(fields).toEqual(expect.arrayContaining(["2 [0].cost.fixed", "3 [1].country"]));
    expect(faulty.faultCount).toBe(faulty.faults?.length);
    expect((await updates())[0]).toMatchObject({ kind: "IMPORT", source: "bad.json" });
    expect((await updates())[0].failure).toContain("[0].cost.fixed");

    await send("{ not json", "text.json");
    expect((await settled()).faults?.[0]).toMatchObject({ line: 1, field: "" });
  });

  it("can be cancelled at any time, and is refused after the catalog has changed", {
    tags: ["thorough"],
  }, async () => {
    const catalog = JSON.parse(await exported());
    const half = { importId: randomUUID(), name: "half.json", bytes: 10 };
    await owner.pos("POST", path(), half);
    const missing = { importId: half.importId, offset: 5, content: "AAAA" };
    expect((await owner.pos("POST", `${path()}/parts`, missing)).body.fields).toEqual({
      offset: "0",
    });
    expect((await owner.pos("DELETE", path())).body).toEqual({ fromProvider: false });
    const late = { importId: half.importId, offset: 0, content: "AAAA" };
    expect((await owner.pos("POST", `${path()}/parts`, late)).status).toBe(404);

    const waits = await send(JSON.stringify({ vouchers: catalog.vouchers.slice(1) }));
    await settled();
    expect((await owner.pos("DELETE", path())).body.import).toBeUndefined();
    expect((await accept(waits)).status).toBe(404);

    const older = await send(JSON.stringify({ vouchers: catalog.vouchers.slice(2) }));
    await settled();
    const origin = { source: "cli.json", action: "catalog.import" } as const;
    const scope = { accountId: "default", environment: "test" } as const;
    const input = { vouchers: catalog.vouchers.slice(3) };
    await shop.gateway.context.catalogUpdates.replace(scope, input, origin);
    expect((await accept(older)).body.message).toContain("changed since");
    expect(JSON.parse(await exported()).vouchers).toHaveLength(catalog.vouchers.length - 3);
  });

  it("reports a damaged part, and can be replaced by another file", async () => {
    const importId = randomUUID();
    const part = (offset: number) => ({ importId, offset, content: "W3t9" });
    await owner.pos("POST", path(), { importId, name: "mine.json", bytes: 6 });
    await owner.pos("POST", `${path()}/parts`, part(0));
    await writerOf(shop.gateway.context.db).deleteFrom("catalog_file_parts").execute();
    await owner.pos("POST", `${path()}/parts`, part(3));
    expect(await settled()).toMatchObject({
      state: "FAILED",
      failure: expect.stringContaining("part of the file is missing"),
    });
    await send("[]");
    expect((await settled()).state).not.toBe("FAILED");
  });

  it("resumes after a restart during upload, check or writing", {
    tags: ["thorough"],
  }, async () => {
    const catalog = JSON.parse(await exported());
    const bytes = Buffer.from(JSON.stringify({ vouchers: catalog.vouchers.slice(1) }));
    const importId = randomUUID();
    await owner.pos("POST", path(), { importId, name: "mine.json", bytes: bytes.length });
    expect(bytes.length).toBeGreaterThan(CATALOG_FILE_PART);
    for (let offset = 0; offset < bytes.length; offset += CATALOG_FILE_PART) {
      const content = bytes.subarray(offset, offset + CATALOG_FILE_PART).toString("base64");
      await owner.pos("POST", `${path()}/parts`, { importId, offset, content });
      await shop.restart();
    }
    expect(await settled()).toMatchObject({ state: "READY", importId });
    await accept(importId);
    await shop.restart();
    expect(await settled()).toMatchObject({ state: "DONE", importId });
    expect(JSON.parse(await exported()).vouchers).toHaveLength(catalog.vouchers.length - 1);
  });

  it("an uploaded catalog file is refused if the catalog comes from the provider", {
    tags: ["thorough"],
  }, async () => {
    const office = await startTestGateway();
    const gateway = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", gateway)).status).toBe(200);
    expect((await owner.pos("GET", path("live"))).body).toEqual({ fromProvider: true });
    const file = { importId: randomUUID(), name: "mine.json", bytes: 10 };
    const refused = await owner.pos("POST", path("live"), file);
    expect([refused.status, refused.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    await shop.settle();
    await office.close();
  });

  it("loses its parts a day after its upload stopped", async () => {
    const { db, housekeeping } = shop.gateway.context;
    const count = async () =>
      (await db.selectFrom("catalog_file_parts").select("first_byte").execute()).length;
    const importId = randomUUID();
    await owner.pos("DELETE", path());
    await owner.pos("POST", path(), { importId, name: "half.json", bytes: 6 });
    await owner.pos("POST", `${path()}/parts`, { importId, offset: 0, content: "W3t9" });
    await housekeeping.clearAway();
    expect(await count()).toBe(1);
    shop.clock.set(shop.clock.now() + DAY);
    await housekeeping.clearAway();
    expect(await count()).toBe(0);
  });
});
