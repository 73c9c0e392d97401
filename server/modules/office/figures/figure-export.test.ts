import { afterAll, beforeAll, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
const DAYS = "firstDay=2026-01-14&lastDay=2026-01-16";

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }]);
  await gateway.advance(MINUTE);
});
afterAll(() => gateway.close());

async function take(path: string): Promise<number> {
  const answer = await fetch(`${gateway.url}/pos/figures/${path}`, {
    headers: { cookie: owner.cookie },
  });
  await answer.text();
  return answer.status;
}

async function exportsOnTrail(): Promise<object[]> {
  const { body } = await owner.pos("GET", "/audit-trail?action=figures.export&limit=50");
  return body.list;
}

it("each export is recorded in the audit trail in order, with the person, the rows and the days", async () => {
  expect(await take(`lines.csv?${DAYS}`)).toBe(200);
  expect(await take(`movements.csv?${DAYS}`)).toBe(200);
  expect(await take(`lines.csv?${DAYS}&by=CLERK&value=${owner.staffId}`)).toBe(200);
  const days = { firstDay: "2026-01-14", lastDay: "2026-01-16", environment: "test" };
  const staff = { staffId: owner.staffId, name: "Olga" };
  const ofPerson = { by: "CLERK", value: owner.staffId, valueName: "Olga" };
  expect(await exportsOnTrail()).toMatchObject([
    { staff, detail: { rows: "LINES", ...ofPerson, ...days } },
    { staff, detail: { rows: "MOVEMENTS", ...days } },
    { staff, detail: { rows: "LINES", ...days } },
  ]);
});

it("refused exports and rows shown on the screen are not in the audit trail", async () => {
  const before = await exportsOnTrail();
  expect(await take("lines.csv?firstDay=2026-01-16&lastDay=2026-01-14")).toBe(400);
  expect(await take(`lines.csv?${DAYS}&by=BRAND`)).toBe(400);
  expect(await take(`lines?${DAYS}&limit=50`)).toBe(200);
  expect(await exportsOnTrail()).toEqual(before);
});
