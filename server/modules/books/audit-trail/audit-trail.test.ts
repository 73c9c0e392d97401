import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let ana: string;
let dayTwo: number;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  ana = (await owner.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "1739" })).body
    .staffId;
  await till.call("POST", "/pos/session", { body: { staffId: ana, pin: "0000" } });
  const clerk = await owner.signIn(ana, "1739");
  const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
  const { saleId } = (await clerk.sell([line])).body;
  for (let copy = 0; copy < 3; copy++) await clerk.pos("POST", `/sales/${saleId}/prints`);
  await till.advance(DAY);
  dayTwo = till.clock.now();
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
  const change = { name: "Ana B", role: "supervisor", limits: { perSale: 5000 } };
  await owner.pos("PATCH", `/staff/${ana}`, { ...change, ownRights: { discountPct: 5 } });
});
afterAll(() => till.close());

interface Entry {
  entryId: number;
  at: string;
  action: string;
  staff?: { staffId: string; name: string };
  subjectName?: string;
  detail: Record<string, unknown>;
}

async function read(query = ""): Promise<{ list: Entry[]; more: boolean }> {
  const answer = await owner.pos("GET", `/audit-trail?limit=200${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

describe("the audit trail", () => {
  it("names the author, the action and the subject, newest first", async () => {
    const { list, more } = await read();
    expect(more).toBe(false);
    const ids = list.map(({ entryId }) => entryId);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const [limits, rights, role, rename] = list;
    expect([limits, rights, role, rename]).toMatchObject([
      { action: "staff.limits", staff: { name: "Olga" }, subjectName: "Ana B" },
      { action: "staff.rights", detail: { discountPct: 5 } },
      { action: "staff.role", detail: { from: "clerk", to: "supervisor" } },
      { action: "staff.rename", detail: { from: "Ana", to: "Ana B" } },
    ]);
    expect(limits?.detail).toEqual({ perSale: 5000, currency: "USD", currencyDivisor: 100 });
    const wrong = list.find(({ action }) => action === "staff.pin-wrong");
    expect(wrong).toMatchObject({ subjectName: "Ana B", detail: { attempts: 1 } });
    expect(wrong).not.toHaveProperty("staff");
    const reprints = list.filter(({ action }) => action === "receipt.reprint");
    expect(reprints.map(({ subjectName, detail }) => [subjectName, detail.copy])).toEqual([
      ["1", 2],
      ["1", 1],
    ]);
  });

  it("can be filtered by person, action and day", async () => {
    const hers = (await read(`&staffId=${ana}`)).list;
    expect(hers.map(({ action }) => action)).toEqual([
      "receipt.reprint",
      "receipt.reprint",
      "shift.open",
      "staff.sign-in",
    ]);
    const signIns = (await read("&action=staff.sign-in")).list;
    expect(signIns.map(({ staff }) => staff?.name)).toEqual(["Olga", "Ana B", "Olga"]);
    const until = toTimestamp(dayTwo - MINUTE);
    const since = toTimestamp(dayTwo);
    const first = (await read(`&until=${until}`)).list;
    const second = (await read(`&since=${since}`)).list;
    expect(first.length + second.length).toBe((await read()).list.length);
    expect(second.map(({ action }) => action).sort()).toEqual([
      "staff.limits",
      "staff.rename",
      "staff.rights",
      "staff.role",
      "staff.sign-in",
    ]);
  });

  it("has pages without gaps or repeated entries", async () => {
    const whole = (await read()).list;
    const pages: Entry[] = [];
    for (let before = "", more = true; more; ) {
      const { body } = await owner.pos("GET", `/audit-trail?limit=4${before}`);
      pages.push(...body.list);
      more = body.more;
      before = `&before=${pages.at(-1)?.entryId}`;
    }
    expect(pages).toEqual(whole);
  });

  it("never contains a PIN", async () => {
    const text = JSON.stringify((await read()).list);
    for (const pin of ["1739", "0000", OWNER_PIN]) expect(text).not.toContain(`"${pin}"`);
  });

  it.each([
    ["", "limit"],
    ["?limit=0", "limit"],
    ["?limit=201", "limit"],
    ["?limit=5&action=staff.dance", "action"],
    ["?limit=5&since=yesterday", "since"],
    ["?limit=5&before=0", "before"],
    ["?limit=5&staffid=x", "staffid"],
  ])("refuses %j and names the field", async (query, field) => {
    const answer = await owner.pos("GET", `/audit-trail${query}`);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
  });
});
