import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../../../contract/common.ts";
import { OPERATIONS } from "../../../contract/pos/operations.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { createLiveSimulator } from "../../../testing/live-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openShift, setUpTill, type TestTill } from "../../../testing/test-till.ts";

/** Each mode has data with distinctive words, which no other mode may show. */
const MODES = ["test", "live", "training"] as const;
type Mode = (typeof MODES)[number];

interface Traces {
  number: string;
  saleId: string;
  transactionId: string;
  heldSaleId: string;
  favourite: string;
  shiftId: string;
  iccid: string;
}

const DAYS = "firstDay=2026-01-14&lastDay=2026-01-16";

/** Every read operation of the till, with ids of data that another mode stored. */
const READS: Record<string, (of: Traces) => string> = {
  "/status": () => "/status",
  "/session": () => "/session",
  "/wallet": () => "/wallet",
  "/transactions": ({ number }) => `/transactions?limit=50&typed=${encodeURIComponent(number)}`,
  "/transactions/:transactionId": ({ transactionId }) => `/transactions/${transactionId}`,
  "/wallet/overview": () => "/wallet/overview",
  "/wallet/statement": () => "/wallet/statement?limit=50",
  "/wallet/statement.csv": () => `/wallet/statement.csv?${DAYS}`,
  "/phone": ({ number }) => `/phone?number=${encodeURIComponent(number)}`,
  "/recents": () => "/recents",
  "/found-sales": ({ number }) => `/found-sales?typed=${encodeURIComponent(number)}`,
  "/brands": () => "/brands?productType=TOPUP&country=GT",
  "/offers": () => "/offers?productType=TOPUP&country=GT",
  "/esim-destinations": () => "/esim-destinations",
  "/esims/:iccid": ({ iccid }) => `/esims/${iccid}`,
  "/sales": () => "/sales?limit=50&offset=0",
  "/sales/:saleId": ({ saleId }) => `/sales/${saleId}`,
  "/sales/:saleId/receipt-links": ({ saleId }) => `/sales/${saleId}/receipt-links`,
  "/held-sales": () => "/held-sales",
  "/favourites": () => "/favourites",
  "/search-index": () => "/search-index",
  "/brand-faces": () => "/brand-faces",
  "/usual-choices": () => "/usual-choices",
  "/shifts": () => "/shifts",
  "/shifts/current": () => "/shifts/current",
  "/shifts/:shiftId/x": ({ shiftId }) => `/shifts/${shiftId}/x`,
  "/shifts/:shiftId/movements": ({ shiftId }) => `/shifts/${shiftId}/movements`,
  "/cash/safe": () => "/cash/safe",
  "/z-reports": () => "/z-reports?limit=50&offset=0",
  "/figures": () => `/figures?${DAYS}&by=DAY`,
  "/figures/today": () => "/figures/today",
  "/figures/charts": () => "/figures/charts",
  "/figures/parts": () => `/figures/parts?${DAYS}&by=BRAND`,
  "/figures/hours": () => `/figures/hours?${DAYS}`,
  "/figures/money": () => `/figures/money?${DAYS}`,
  "/figures/lines": () => `/figures/lines?${DAYS}&limit=50`,
  "/figures/lines.csv": () => `/figures/lines.csv?${DAYS}`,
  "/figures/movements": () => `/figures/movements?${DAYS}&limit=50`,
  "/figures/movements.csv": () => `/figures/movements.csv?${DAYS}`,
  "/shop-reports": () => "/shop-reports?_limit=50&_offset=0",
  "/report-schedules": () => "/report-schedules",
  "/figures/owed": () => "/figures/owed?limit=50",
  "/bulk-runs": () => "/bulk-runs",
  "/bulk-runs/:runId": ({ saleId }) => `/bulk-runs/${saleId}`,
  "/bulk-runs/:runId/lines": ({ saleId }) =>
    `/bulk-runs/${saleId}/lines?show=ALL&limit=50&offset=0`,
};

/**
 * Read operations of the whole shop, whose rows name their environment or belong to no environment.
 */
const OF_THE_SHOP = [
  "/setup/currencies",
  "/staff/names",
  "/staff",
  "/approvers",
  "/settings",
  "/clock",
  "/receipt-pages",
  "/receipt-ways",
  "/receipt-sendings",
  "/shop",
  "/shop/logo/:digest",
  "/brand-logos/:digest",
  "/keys",
  "/requests",
  "/requests/:requestNo",
  "/sandboxes",
  "/sandboxes/:name/deliveries",
  "/sandboxes/:name/requests",
  "/sandboxes/:name/requests/:requestNo",
  "/sandboxes/:name/wallet",
  "/backups",
  "/network",
  "/network/reach",
  "/devices",
  "/storage",
  "/printers",
  "/tills",
  "/tenders",
  "/printers/:printerId/prints/:printId",
  "/displays/:code/events",
  "/displays/:code/answers/:transactionId",
  "/events",
  "/audit-trail",
  "/accounting",
  "/alerts",
  "/alert-mail",
  "/mail",
  "/shop-reports/:reportId/file",
  "/unfinished",
  "/webhooks",
  "/webhooks/deliveries",
  "/catalog/:environment",
  "/catalog/:environment/offers",
  "/catalog/:environment/switches",
  "/catalog/:environment/pins",
  "/catalog/:environment/updates",
  "/catalog/:environment/file",
  "/catalog/:environment/import",
  "/prices/:environment",
  "/prices/:environment/rate",
  "/prices/:environment/blocked",
  "/prices/:environment/offers",
  "/prices/:environment/versions",
  "/prices/:environment/versions/:version",
  "/reconciliation",
  "/upstream",
  "/upstream/catalog",
  "/providers",
  "/providers/costs",
  "/providers/unclear-products",
  "/till-environment",
  "/environment-differences",
  "/till-environment/price-changes",
  "/brands/pauses",
];

const TOPUP = "TIGO_GT_TOPUP_25";
const ESIM = "AIRALO_ES_1GB_7D";

let gateway: TestGateway;
let owner: TestTill;
const traces = {} as Record<Mode, Traces>;

async function enter(mode: Mode): Promise<void> {
  const till_environment: Environment = mode === "live" ? "live" : "test";
  const { db } = gateway.gateway.context;
  await writerOf(db).updateTable("shops").set({ till_environment }).execute();
  await owner.pos("POST", "/session/training", { on: mode === "training" });
}

async function leaveTraces(mode: Mode): Promise<Traces> {
  await enter(mode);
  const index = MODES.indexOf(mode) + 1;
  const number = `+5025100000${index}`;
  const shiftId = mode === "training" ? randomUUID() : await openShift(owner, index);
  const favourite = `Customer of ${mode}`;
  await owner.pos("PUT", `/favourites/${encodeURIComponent(number)}`, { name: favourite });
  const topup = { offerId: TOPUP, recipientPhoneNumber: number };
  const sold = await owner.sell([topup, { offerId: ESIM, productType: "ESIM" }]);
  expect(sold.status, JSON.stringify(sold.body)).toBe(200);
  await gateway.advance(MINUTE);
  const { saleId, lines } = (await owner.pos("POST", `/sales/${sold.body.saleId}/prints`)).body
    .sale;
  const heldSaleId = randomUUID();
  const shown = {
    brand: "TIGO",
    brandName: "Tigo",
    brandColor: "",
    country: "GT",
    title: "25 GTQ",
    recipientFormatted: number,
    price: 1,
    priceCurrency: "USD",
    priceCurrencyDivisor: 100,
  };
  const input = { productType: "TOPUP", ...topup };
  await owner.pos("POST", "/held-sales", {
    heldSaleId,
    label: `Basket of ${mode}`,
    lines: [{ input, shown }],
  });
  const { transactionId } = lines[0];
  const { iccid } = lines[1].esim;
  return { number, saleId, transactionId, heldSaleId, favourite, shiftId, iccid };
}

beforeAll(async () => {
  gateway = await startTestGateway({ providers: { live: createLiveSimulator(() => gateway) } });
  await giveLiveCatalog(gateway, [TOPUP, ESIM]);
  const { context } = gateway.gateway;
  const live = { accountId: "default", environment: "live", staffId: undefined } as const;
  await context.recharges.recharge(live, 100_000);
  owner = await setUpTill(gateway);
  for (const mode of MODES) traces[mode] = await leaveTraces(mode);
  for (const mode of ["test", "live"] as const) {
    await enter(mode);
    const { shiftId } = traces[mode];
    await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: 0 });
    traces[mode].shiftId = await openShift(owner);
  }
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

/** Returns another mode's words that must not appear. Training and test share favourites. */
function listTraces(other: Mode, seenFrom: Mode): string[] {
  const { favourite, ...left } = traces[other];
  const sharesNames = other !== "live" && seenFrom !== "live";
  const words = Object.values(left).filter((word) => !(sharesNames && word === left.number));
  return sharesNames ? words : [...words, favourite];
}

describe.each(MODES)("a till in %s", (mode) => {
  beforeAll(() => enter(mode));

  it.each(Object.entries(READS))("sees no data of another mode in %s", async (_path, ask) => {
    for (const asked of MODES) {
      const { body } = await owner.pos("GET", ask(traces[asked]));
      const text = typeof body === "string" ? body : JSON.stringify(body);
      for (const other of MODES) {
        if (other === mode) continue;
        const echoed = ask(traces[asked]);
        const seen = listTraces(other, mode).filter(
          (word) => !echoed.includes(encodeURIComponent(word)),
        );
        for (const word of seen) expect(text, `${echoed} shows ${word}`).not.toContain(word);
      }
    }
  });

  it("sees its own data, each row once", async () => {
    const sales = (await owner.pos("GET", "/sales?limit=50&offset=0")).body;
    expect(sales.list.map(({ saleId }: Traces) => saleId)).toEqual([traces[mode].saleId]);
    expect(sales.figures.sold).toBe(sales.list[0].total);
    const held = (await owner.pos("GET", "/held-sales")).body.list;
    expect(held.map(({ heldSaleId }: Traces) => heldSaleId)).toEqual([traces[mode].heldSaleId]);
    const recents = (await owner.pos("GET", "/recents")).body.list;
    expect(recents.map(({ saleId }: Traces) => saleId)).toEqual([traces[mode].saleId]);
    expect((await owner.pos("GET", `/esims/${traces[mode].iccid}`)).status).toBe(200);
    const z = (await owner.pos("GET", "/z-reports?limit=50&offset=0")).body;
    if (mode !== "training") expect(z.list[0].figures.sales.count).toBe(1);
  });
});

it("the list of read operations covers every read operation of the till", () => {
  const paths = OPERATIONS.filter(({ method }) => method === "GET").map(({ path }) => path);
  expect(paths.sort()).toEqual([...Object.keys(READS), ...OF_THE_SHOP].sort());
});
