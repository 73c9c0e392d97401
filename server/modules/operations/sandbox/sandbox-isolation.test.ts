import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { type ApiDocument, readApiDocument } from "../../../testing/api-document.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { until } from "../../../testing/until.ts";

const PURCHASES = {
  topups: { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" },
  vouchers: {
    offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
    value: { type: "ZEND", value: 10_000 },
    fields: [
      { key: "meter.number", value: "01234567890" },
      { key: "recipient.msisdn", value: "+27821234567" },
    ],
  },
  esim: { offerId: "AIRALO_ES_1GB_7D" },
  billpay: {
    offerId: "AYSA_AR_BILL_WATER",
    value: { type: "ZEND", value: 1_500_000 },
    fields: [
      { key: "accountNumber", value: "30001234567" },
      { key: "billIdentifier", value: "1" },
    ],
  },
} as const;
const PATHS = Object.keys(PURCHASES) as (keyof typeof PURCHASES)[];
const PERIOD = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
const WORLDS = ["live", "one", "two"] as const;
type World = (typeof WORLDS)[number] | "gone";

/** Values of path parameters that only one world has. */
const OWN = ["transactionId", "iccId", "reportId", "file"] as const;
type Ids = Record<(typeof OWN)[number], string[]>;

let till: TestGateway;
let api: ApiDocument;
const keys = {} as Record<World, string>;
const ids = {} as Record<World, Ids>;
beforeAll(async () => {
  till = await startTestGateway({ providers: { live: createLiveSimulator(() => till) } });
  api = await readApiDocument(till);
  await giveLiveCatalog(
    till,
    PATHS.map((path) => PURCHASES[path].offerId),
  );
  const { accountId, namedSandboxes, recharges, transactor } = till.gateway.context;
  const live = { accountId, environment: "live" } as const;
  await transactor.transact(accountId, (tx) => recharges.rechargeSandbox(tx, live, 10_000_000));
  keys.live = till.key("live");
  for (const name of ["one", "two"] as const) {
    const made = await namedSandboxes?.create({ accountId }, name, { wallet: 10_000_000 });
    keys[name] = made?.key ?? "";
  }
  for (const world of WORLDS) ids[world] = await fillWithData(world);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function call(world: World, method: string, path: string, body?: unknown) {
  const init = { headers: { authorization: `Bearer ${keys[world]}` } };
  return till.call(method, path, body === undefined ? init : { ...init, body });
}

async function advance(world: World): Promise<void> {
  if (world === "live") await till.advance(5 * SECOND);
  else await call(world, "POST", "/sandbox/v1/clock/advance", { by: "5s" });
}

/** Makes a purchase of each family, a refund and a report. */
async function fillWithData(world: World): Promise<Ids> {
  const transactionIds = PATHS.map((path) => `${world}-${path}`);
  for (const path of PATHS) {
    const body = { ...PURCHASES[path], transactionId: `${world}-${path}` };
    expect((await call(world, "POST", `/v1/${path}/purchases`, body)).status).toBe(200);
  }
  await advance(world);
  const esim = (await call(world, "GET", `/v1/esim/purchases/${world}-esim`)).body;
  await call(world, "POST", `/v1/esim/purchases/${world}-esim/refund`);
  const { reportId } = (await call(world, "POST", "/v1/reports/transactions", PERIOD)).body;
  await advance(world);
  const report = async () =>
    (await call(world, "GET", `/v1/reports/transactions/${reportId}`)).body.file?.name;
  await until(async () => (await report()) !== undefined);
  return {
    transactionId: transactionIds,
    iccId: [esim.confirmation.iccid],
    reportId: [reportId],
    file: [await report()],
  };
}

const SHARED: Record<string, string> = {
  offerId: "TIGO_GT_TOPUP_25",
  brand: "ESKOM",
  promoId: "none",
  msisdn: "+50231234567",
};
const QUERY: Record<string, string> = {
  _limit: "1024",
  _offset: "0",
  country: "ZA",
  deliveryType: "TOKEN",
};

/** Returns the operation's paths with the ids of a world. */
function fill(path: string, world: World): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const values = name in SHARED ? [SHARED[name]] : ids[world][name as keyof Ids];
  return values.flatMap((value = "") => fill(path.replace(`{${name}}`, value), world));
}

function bodyOf(name: string, world: World): unknown {
  const path = PATHS.find((one) => name === `POST /v1/${one}/purchases`);
  if (path) return { ...PURCHASES[path], transactionId: `${world}-${path}`, offerId: "NONE" };
  return name === "POST /v1/reports/transactions" ? PERIOD : undefined;
}

/** Returns the responses to all reads of a world's own data. */
async function observe(world: World): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const lists = ["transactions", ...PATHS.map((path) => `${path}/purchases`)];
  for (const path of ["balance", ...lists.map((list) => `${list}?_limit=1024&_offset=0`)]) {
    const { status, body } = await call(world, "GET", `/v1/${path}`);
    expect([path, status]).toEqual([path, 200]);
    seen[path] = body;
  }
  return seen;
}

describe("live and two sandboxes in one gateway", () => {
  it("neither read nor change each other's data with any operation of /v1", async () => {
    const before = new Map<World, unknown>();
    for (const world of WORLDS) before.set(world, await observe(world));
    let called = 0;
    for (const caller of WORLDS) {
      for (const owner of WORLDS.filter((world) => world !== caller)) {
        const foreign = Object.values(ids[owner]).flat();
        for (const { name, method, path, parameters } of api.operations) {
          const required = parameters.filter((p) => p.in === "query" && p.required);
          const query = required.map((p) => `${p.name}=${QUERY[p.name]}`).join("&");
          for (const filled of fill(`/v1${path}`, owner)) {
            const target = `${filled}${query && `?${query}`}`;
            const { status, body } = await call(caller, method, target, bodyOf(name, owner));
            const text = JSON.stringify(body.errorCode ? "" : body);
            const found = foreign.filter((id) => text.includes(id));
            expect([caller, name, found]).toEqual([caller, name, []]);
            const isOwned = OWN.some((parameter) => path.includes(`{${parameter}}`));
            if (isOwned) expect([name, status]).toEqual([name, 404]);
            called += 1;
          }
        }
      }
    }
    expect(called).toBeGreaterThan(api.operations.length * 6);
    for (const world of WORLDS) {
      expect([world, await observe(world)]).toEqual([world, before.get(world)]);
    }
  });
});

describe("a deleted sandbox", () => {
  it("leaves no file, and no row outside the audit trail", async () => {
    const { accountId, db, namedSandboxes } = till.gateway.context;
    const observeShop = async () => {
      await till.settle();
      const { audit_trail: _trail, audit_counts: _count, ...rows } = await digestDatabase(db);
      const files = readdirSync(till.dataDir, { recursive: true, encoding: "utf8" });
      const ofOthers = /^sandboxes.(one|two)/;
      return { rows, files: files.filter((file) => !ofOthers.test(file)).toSorted() };
    };
    const before = await observeShop();
    const made = await namedSandboxes?.create({ accountId }, "gone", { wallet: 10_000_000 });
    keys.gone = made?.key ?? "";
    ids.gone = await fillWithData("gone");
    expect((await observeShop()).files).not.toEqual(before.files);
    await namedSandboxes?.delete({ accountId }, "gone");
    expect(await observeShop()).toEqual(before);
    expect((await call("gone", "GET", "/v1/balance")).status).toBe(401);
  });
});
