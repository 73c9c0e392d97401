import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ReceiptText } from "../contract/pos/receipt-text.ts";
import { readJson } from "../lib/checked-json.ts";
import { listOpenFindings } from "../modules/safety/storage/index.ts";
import { listPrinterPorts } from "../modules/selling/printing/printer-store.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { type Answer, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openTill, type TestTill } from "../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let log: string;
beforeAll(async () => {
  till = await startTestGateway({
    logStream: {
      write(line) {
        log += line;
      },
    },
  });
  log = "";
  owner = await openTill(till);
  await fillTables();
  await dropGuards();
});
beforeEach(() => {
  log = "";
});
afterAll(() => till.close());

const HELD_SALE_ID = "0b8a4c1e-5f3d-4c77-9a51-2f6f0c9d1a34";
const LINE = {
  input: { productType: "TOPUP", offerId: "TIGO_GT_TOPUP_25" },
  shown: {
    brand: "TIGO",
    brandName: "Tigo",
    brandColor: "#00377b",
    country: "GT",
    title: "25 GTQ",
    recipientFormatted: "+502 5123 4567",
    price: 340,
    priceCurrency: "USD",
    priceCurrencyDivisor: 100,
  },
};

/** Writes a row to each table that has a JSON column. */
async function fillTables(): Promise<void> {
  const voucher = { offerId: "AMAZON_US_GIFT_25", transactionId: "v1", fields: [] };
  await till.v1("POST", "/vouchers/purchases", voucher);
  await till.advance(5_000);
  await owner.pos("POST", "/held-sales", {
    heldSaleId: HELD_SALE_ID,
    label: "Ana",
    lines: [LINE],
  });
  await owner.pos("POST", "/staff", { name: "Carl", role: "clerk", pin: "590274" });
  const { shift } = (await owner.pos("GET", "/shifts/current")).body;
  await owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
  await run(`insert into upstreams (account_id, environment, base_url, allow_private, connected_at,
    sync_report_json) values ('default', 'live', 'https://gateway.example', 0, 1,
    '{"sections":{},"leftOut":[],"leftOutCount":0}')`);
  await run(`insert into storage_findings (kind, found_at, detail_json)
    values ('MISSING', 1, '{"transactions":1,"commits":2,"since":1,"until":2}')`);
}

/** Drops triggers that refuse updates: a disk error can damage even rows that are never updated. */
async function dropGuards(): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where type = 'trigger' and tbl_name in ('z_reports', 'audit_trail')`.execute(
    till.gateway.context.db,
  );
  for (const { name } of rows) await run(`drop trigger ${name}`);
}

async function run(statement: string): Promise<void> {
  await sql.raw(statement).execute(writerOf(till.gateway.context.db));
}

const vouchers = () => till.v1("GET", "/vouchers/purchases?_limit=1&_offset=0");
const staff = () => owner.pos("GET", "/staff");

/**
 * A damaged value of each column, a request that reads it, and the row and
 * field that the log must name.
 */
const DAMAGES: [column: string, change: string, read: () => Promise<Answer>, says: string][] = [
  [
    "purchases.input_json",
    "json_set(it, '$.fields', 7)",
    vouchers,
    "row v1 .* fields must be array",
  ],
  ["purchases.fulfilment_json", "'not JSON'", vouchers, "row v1 .* it is not JSON"],
  ["purchases.details_sealed", "seal_text('[]')", vouchers, "row v1 .* it must be object"],
  ["transactions.error_figures_json", `'{"by":"x"}'`, vouchers, "row v1 .* by must be number"],
  [
    "z_reports.report_json",
    "json_set(it, '$.figures.sales.value', 0.5)",
    () => owner.pos("GET", "/z-reports?limit=1&offset=0"),
    "row 1 .* figures.sales.value must be integer",
  ],
  [
    "held_sales.lines_json",
    "json_remove(it, '$[0].shown.price')",
    () => owner.pos("GET", "/held-sales"),
    `row ${HELD_SALE_ID} .* 0.shown must have required properties price`,
  ],
  [
    "accounts.receipt_text_json",
    "json_set(it, '$.address', 'here')",
    () => owner.pos("GET", "/settings"),
    "row default .* address must be array",
  ],
  ["staff.rights_json", `'{"discountPct":"100"}'`, staff, "row .* discountPct must be integer"],
  ["staff.limits_json", `'{"perSale":true}'`, staff, "row .* perSale must be integer"],
  [
    "api_keys.allowed_addresses_json",
    `'{"all":true}'`,
    () => till.v1("GET", "/balance"),
    "row .* it must be array",
  ],
  [
    "upstreams.sync_report_json",
    "json_remove(it, '$.leftOutCount')",
    () => owner.pos("GET", "/upstream"),
    "row live .* it must have required properties leftOutCount",
  ],
  [
    "audit_trail.detail_json",
    `'{"name":null}'`,
    () => owner.pos("GET", "/audit-trail?limit=1"),
    "row .* name must",
  ],
];

async function whileDamaged(name: string, change: string, work: () => Promise<void>) {
  const [table = "", column = ""] = name.split(".");
  const { rows } = await sql<{ id: number; text: string | null }>`
    select rowid as id, ${sql.ref(column)} as text from ${sql.table(table)}`.execute(
    till.gateway.context.db,
  );
  await run(`update ${table} set ${column} = ${change.replace("it", column)}`);
  await work();
  for (const { id, text } of rows) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where rowid = ${id}`.execute(
      writerOf(till.gateway.context.db),
    );
  }
}

describe("stored text that the program did not write", () => {
  it.each(DAMAGES)(
    "causes an error that names the column, row and field: %s = %s",
    async (column, change, read, says) => {
      expect((await read()).status).toBe(200);
      await whileDamaged(column, change, async () => {
        expect((await read()).body.errorCode).toBe("INTERNAL_ERROR");
        expect(log).toMatch(new RegExp(`${column} of the ${says}`));
      });
      expect((await read()).status).toBe(200);
    },
  );

  it("causes an error in a storage finding and in the list of printer ports", async () => {
    const { db } = till.gateway.context;
    await whileDamaged("storage_findings.detail_json", `'{"commits":2}'`, async () => {
      const wanted = /storage_findings.detail_json of the row 1 .* it must have required/;
      await expect(listOpenFindings(db)).rejects.toThrow(wanted);
    });
    await whileDamaged("accounts.printer_ports_json", `'["9100"]'`, async () => {
      const wanted = "accounts.printer_ports_json of the row default";
      await expect(listPrinterPorts(db, "default")).rejects.toThrow(wanted);
    });
  });

  it("leaves its row out of the catalog, and causes a log entry", async () => {
    const [offer, brand] = ["/topups/offers/TIGO_GT_TOPUP_25", "/brands/TIGO"];
    expect((await till.v1("GET", offer)).status).toBe(200);
    const tigo = `where brand = 'TIGO'`;
    await run(`update offers set offer_json = json_remove(offer_json, '$.price.fee') ${tigo}`);
    await run(`update brands set detail_json = json_set(detail_json, '$.inputMasks', 'x') ${tigo}`);
    await run("update promos set promo_json = json_set(promo_json, '$.maxValue', 'x')");
    await till.restart();
    expect((await till.v1("GET", offer)).body.errorCode).toBe("NOT_FOUND");
    expect((await till.v1("GET", brand)).status).toBe(404);
    expect((await till.v1("GET", "/promos?_limit=1&_offset=0")).body.total).toBe(0);
    expect((await till.v1("GET", "/topups/offers?_limit=1&_offset=0")).body.total).toBeGreaterThan(
      9,
    );
    for (const column of ["offers.offer_json", "promos.promo_json", "brands.detail_json"]) {
      expect(log).toMatch(new RegExp(`${column} of the row .*a part of the catalog is left out`));
    }
  });
});

describe("JSON check of a stored text", () => {
  it("compares fields and types with the schema, but not the limits for input", () => {
    const long = { address: ["x".repeat(100)], support: [], since: 2019 };
    expect(readJson(ReceiptText, JSON.stringify(long), "a text")).toEqual(long);
    expect(() => readJson(ReceiptText, '{"address":[1],"support":[]}', "a text")).toThrow(
      "a text is not as this program writes it: address.0 must be string",
    );
  });

  it("describes a mismatch without values of the text", () => {
    const secret = '{"address":["PIN 4711"]} PIN 4711';
    expect(() => readJson(ReceiptText, secret, "a text")).toThrow(/^[^4]*$/);
  });
});
