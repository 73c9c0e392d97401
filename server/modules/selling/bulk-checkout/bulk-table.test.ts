import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BulkLine, BulkRun } from "../../../contract/pos/bulk-runs.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterAll(async () => {
  expect((await owner.pos("GET", "/sales?limit=9&offset=0")).body.total).toBe(0);
  await till.expectCleanBooks();
  await till.close();
});

function send(text: string) {
  return owner.pos("POST", "/bulk-runs", { runId: randomUUID(), name: "t.csv", text });
}

async function check(text: string): Promise<{ run: BulkRun; lines: BulkLine[] }> {
  const { runId } = (await send(text)).body;
  await till.settle();
  const run = (await owner.pos("GET", `/bulk-runs/${runId}`)).body;
  const path = `/bulk-runs/${runId}/lines?show=ALL&limit=200&offset=`;
  const pages = [];
  for (let offset = 0; offset < run.lines; offset += 200) {
    pages.push((await owner.pos("GET", `${path}${offset}`)).body.list);
  }
  return { run, lines: pages.flat() };
}

async function readFaults(header: string, line: string): Promise<string[]> {
  const { lines } = await check(`${header}\n${line}`);
  return lines.flatMap(({ faults }) => faults.map(({ field, code }) => `${field} ${code}`));
}

const TO = "offer,recipient";
const TIGO = "TIGO_GT_TOPUP_25";

describe("a table", () => {
  it.each([
    ["commas", `offer,recipient\n${TIGO},+50251234567\n`],
    ["semicolons and a byte order mark", `\uFEFFOffer ID;Number\r\n${TIGO};51234567\r\n`],
    ["tabs, as pasted", `product\tphone number\n\n${TIGO}\t502 5123-4567\n\n`],
    ["quotation marks", `"offer","recipient"\n"${TIGO}","+502 (5123) 4567"`],
    ["what a spreadsheet writes around a text", `offer,recipient\n${TIGO},="50251234567"`],
    ["an apostrophe", `offer,recipient\n${TIGO},'+50251234567`],
    ["marks that turn text around", `offer,recipient\n${TIGO},\u202B+50251234567\u202C`],
    ["spaces that are none", `offer,recipient\n\u00A0${TIGO}\u00A0,+502\u00A05123\u00A04567`],
    ["the line that names its separator", `\uFEFFsep=;\r\noffer;recipient\r\n${TIGO};51234567`],
    ["digits of Devanagari", `offer,recipient\n${TIGO},+५०२५१२३४५६७`],
    ["digits of Arabic", `offer,recipient\n${TIGO},+٥٠٢٥١٢٣٤٥٦٧`],
    ["empty columns and lines", `offer,recipient,,\n${TIGO},51234567,,\n,,,\n`],
    ["the delimiter stated in the first line", `sep=;\r\noffer;recipient\r\n${TIGO};51234567`],
    ["a delimiter that is stated alone", `\uFEFFsep=|\noffer|recipient\n${TIGO}|51234567`],
    ["a brand and what is delivered", "brand;amount;recipient\ntigo;25,00;51234567"],
  ])("may have %s", async (_name, text) => {
    const { run, lines } = await check(text);
    expect(lines).toMatchObject([
      { state: "READY", recipientFormatted: "+502 5123 4567", price: 2_635, faults: [] },
    ]);
    expect(run).toMatchObject({ state: "CHECKED", lines: 1, ready: { lines: 1 } });
  });

  it.each([
    ["EMPTY", "\n\n"],
    ["NO_LINES", "offer,recipient\n"],
    ["NO_OFFER_COLUMN", "recipient,amount\n51234567,25"],
    ["UNKNOWN_COLUMN", "offer,colour\nx,red"],
    ["COLUMN_TWICE", "offer,recipient,number\nx,1,2"],
    ["WORKBOOK", "PK\u0003\u0004\u0014"],
    ["UNREADABLE", `offer,recipient\n${TIGO},"5123`],
    ["TOO_MANY_LINES", `offer\n${"x\n".repeat(2_001)}`],
    ["TOO_MANY_COLUMNS", `offer${",".repeat(60)}\nx`],
  ])("causes an error for the whole table: %s", async (fault, text) => {
    const answer = await send(text);
    expect([answer.status, answer.body.errorCode]).toEqual([400, "BULK_FILE_FAULT"]);
    expect(answer.body.fields.fault).toBe(fault);
  });

  it("has a size limit: the gateway refuses ten million characters before parsing them", async () => {
    expect((await send("x".repeat(10_000_000))).status).toBe(413);
    expect((await send(`offer\n${"x".repeat(399_000)}`)).body.errorCode).toBe("BULK_FILE_FAULT");
  });
});

describe("a line of a table", () => {
  it.each<[string, string, string]>([
    ["offer OFFER_MISSING", TO, ",51234567"],
    ["offer OFFER_NOT_FOUND", TO, "CAKE,51234567"],
    ["offer OFFER_NOT_FOUND", TO, "=1+1,51234567"],
    ["offer OFFER_NOT_FOUND", TO, "null,51234567"],
    ["brand BRAND_NOT_FOUND", "brand,amount,recipient", "Tigre,25,51234567"],
    ["amount AMOUNT_BAD", "brand,amount,recipient", "TIGO,,51234567"],
    ["amount AMOUNT_BAD", "brand,amount,recipient", "TIGO,lots,51234567"],
    ["amount AMOUNT_NOT_SOLD", "brand,amount,recipient", "TIGO,25.001,51234567"],
    ["recipient NUMBER_MISSING", TO, `${TIGO},`],
    ["recipient NUMBER_ROUNDED", TO, `${TIGO},5.02E+10`],
    ["recipient NUMBER_ROUNDED", TO, `${TIGO},"5,02513E+10"`],
    ["recipient NUMBER_BAD", TO, `${TIGO},512345`],
    ["recipient NUMBER_BAD", TO, `${TIGO},call me`],
    ["recipient NUMBER_BAD", TO, `${TIGO},@SUM(A1)`],
    ["recipient NUMBER_ELSEWHERE", TO, `${TIGO},+15551234567`],
    ["recipient NUMBER_NOT_MOBILE", TO, `${TIGO},+50222345678`],
    ["value VALUE_NOT_ALLOWED", "offer,recipient,value", `${TIGO},51234567,25`],
    ["recipient ICCID_BAD", TO, "AIRALO_ES_1GB_7D,12345"],
    ["field.colour RECIPIENT_NOT_TAKEN", "offer,recipient,field.colour", `${TIGO},51234567,red`],
    ["note NOTE_TOO_LONG", "offer,recipient,note", `${TIGO},51234567,${"n".repeat(121)}`],
    [" CELLS", TO, `${TIGO},51234567,more`],
    [" CELLS", TO, `${TIGO},${"5".repeat(501)}`],
  ])("has an error: %s", async (fault, header, line) => {
    expect(await readFaults(header, line)).toEqual([fault]);
  });

  it("gets its position in the file as its line number, in a file of a thousand lines", async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => {
      const number = at % 3 === 0 ? "5.02E+10" : `+50251${String(at).padStart(6, "0")}`;
      return `${at % 5 === 0 ? "CAKE" : TIGO},${number},"a\nnote"`;
    });
    const { run, lines: seen } = await check(`offer,recipient,note\n${lines.join("\n")}`);
    const wrong = lines.filter((line) => line.startsWith("CAKE") || line.includes("E+10")).length;
    expect(run).toMatchObject({ lines: 1_000, faulty: wrong, ready: { lines: 1_000 - wrong } });
    for (const [at, { faults, line }] of seen.entries()) {
      // A note with a line break takes two lines. The row gets the number of the second line.
      expect(line).toBe(3 + 2 * at);
      const codes = faults.map(({ code }) => code);
      if (at % 5 === 0) expect(codes).toEqual(["OFFER_NOT_FOUND"]);
      else expect(codes).toEqual(at % 3 === 0 ? ["NUMBER_ROUNDED"] : []);
    }
    const total = run.ready.price;
    const answer = await owner.pos("POST", `/bulk-runs/${run.runId}/confirm`, {
      tender: "CASH",
      total,
    });
    expect([answer.body.errorCode, answer.body.fields]).toEqual([
      "BULK_LINES_AT_FAULT",
      { faulty: String(wrong) },
    ]);
  });

  it("shows a warning about a possible mistake, and is sold only after the warning is accepted", async () => {
    const table = `offer,recipient\n${TIGO},51234567\n${TIGO},+50251234567\n${TIGO},31234567`;
    const { run, lines } = await check(table);
    expect(lines.map(({ warnings }) => warnings)).toEqual([
      [],
      [{ code: "TWICE", detail: "2" }],
      [{ code: "OTHER_CARRIER", detail: "Claro" }],
    ]);
    const total = run.ready.price;
    const answer = await owner.pos("POST", `/bulk-runs/${run.runId}/confirm`, {
      tender: "CASH",
      total,
    });
    expect(answer.body.fields).toEqual({ warned: "2" });
  });
});
