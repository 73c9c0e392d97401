import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
const people: Record<string, TestTill> = {};
const sold: Record<string, { saleId: string; saleNumber: number }> = {};

const NUMBERS = {
  "Ana's of yesterday": "+50251118701",
  "Ben's of yesterday": "+50251118702",
  "Ana's of today": "+50251118703",
  "Ben's of today": "+50251118704",
};
type Which = keyof typeof NUMBERS;

beforeAll(async () => {
  till = await startTestGateway();
  const owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  people.owner = owner;
  const add = async (key: string, role: string, ownRights = {}) => {
    const input = { name: key, role, pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", input)).body;
    if (role !== "owner") await owner.pos("PATCH", `/staff/${staffId}`, { ownRights });
    people[key] = await owner.signIn(staffId, "1739");
  };
  await add("ana", "clerk");
  await add("ben", "clerk");
  await add("supervisor", "supervisor");
  await add("trusted clerk", "clerk", { seeExpectedCash: true });
  await add("blind supervisor", "supervisor", { seeExpectedCash: false });
  const sell = async (which: Which) => {
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBERS[which] };
    const seller = which.startsWith("Ana") ? "ana" : "ben";
    sold[which] = (await who(seller).sell([line])).body;
    await till.advance(MINUTE);
  };
  await sell("Ana's of yesterday");
  await sell("Ben's of yesterday");
  await till.advance(DAY);
  for (const name of Object.keys(people)) {
    // Signs in again, because yesterday's sessions have expired.
    const pin = name === "owner" ? OWNER_PIN : "1739";
    people[name] = await owner.signIn(who(name).staffId, pin);
  }
  await sell("Ana's of today");
  await sell("Ben's of today");
});
afterAll(() => till.close());

function who(name: string): TestTill {
  const person = people[name];
  if (!person) throw new Error(`nobody is called ${name}`);
  return person;
}

const ALL = Object.keys(NUMBERS) as Which[];

const SEEN: [person: string, seen: Which[], figures: boolean][] = [
  ["owner", ALL, true],
  ["supervisor", ALL, true],
  ["trusted clerk", ALL, true],
  ["ana", ["Ana's of yesterday", "Ana's of today", "Ben's of today"], false],
  ["ben", ["Ben's of yesterday", "Ana's of today", "Ben's of today"], false],
  ["blind supervisor", ["Ana's of today", "Ben's of today"], false],
];

describe.each(SEEN)("the sales that %s sees", (person, seen, figures) => {
  const hidden = ALL.filter((which) => !seen.includes(which));

  it("stay the same in every list and search, and hidden recipients are not found", async () => {
    const reader = who(person);
    const { body } = await reader.pos("GET", "/sales?limit=200&offset=0");
    const ids = body.list.map(({ saleId }: { saleId: string }) => saleId);
    expect(new Set(ids)).toEqual(new Set(seen.map((which) => sold[which]?.saleId)));
    expect(body.total).toBe(seen.length);
    expect(body.figures !== undefined).toBe(figures);
    for (const which of hidden) {
      const digits = NUMBERS[which].slice(-4);
      const found = await reader.pos("GET", `/sales?limit=200&offset=0&search=${digits}`);
      expect(found.body).toMatchObject({ total: 0, list: [] });
    }
    const paths = ["/sales?limit=200&offset=0", "/recents", "/unfinished"];
    for (const which of ALL) paths.push(`/sales/${sold[which]?.saleId}`);
    for (const path of paths) {
      const text = JSON.stringify((await reader.pos("GET", path)).body).replaceAll(/[ -]/g, "");
      for (const which of hidden) expect(text).not.toContain(NUMBERS[which].slice(-8));
    }
  });

  it("include sales of any age in a search by the recipient's whole number, if the person may see them", async () => {
    for (const which of ALL) {
      const number = NUMBERS[which];
      for (const typed of [number, number.slice(4), `${number.slice(4, 8)} ${number.slice(8)}`]) {
        const path = `/found-sales?typed=${encodeURIComponent(typed)}`;
        const { list } = (await who(person).pos("GET", path)).body;
        const ids = list.map(({ saleId }: { saleId: string }) => saleId);
        expect([typed, ids]).toEqual([typed, seen.includes(which) ? [sold[which]?.saleId] : []]);
      }
      const part = `/found-sales?typed=${number.slice(-7)}`;
      expect((await who(person).pos("GET", part)).body).toEqual({ list: [] });
    }
  });

  it("include sales of any age in a search by sale number, without hidden recipients", async () => {
    for (const which of ALL) {
      const { saleId, saleNumber } = sold[which] ?? { saleId: "", saleNumber: 0 };
      const { list } = (await who(person).pos("GET", `/found-sales?typed=${saleNumber}`)).body;
      expect(list.map((sale: { saleId: string }) => sale.saleId)).toEqual([saleId]);
      const shown = list[0].lines[0].recipientFormatted.replaceAll(" ", "");
      expect(shown).toBe(seen.includes(which) ? NUMBERS[which] : "");
    }
  });

  it("include a returning customer's sale in a search by the receipt's number, without the recipient", async () => {
    for (const which of hidden) {
      const { saleId, saleNumber } = sold[which] ?? { saleId: "", saleNumber: 0 };
      const path = `/sales?limit=10&offset=0&search=${saleNumber}`;
      const { list } = (await who(person).pos("GET", path)).body;
      const found = list.find((sale: { saleId: string }) => sale.saleId === saleId);
      expect(found.lines[0]).toMatchObject({ recipientFormatted: "", outcome: "DELIVERED" });
      const refused = await who(person).pos("POST", `/sales/${saleId}/prints`);
      expect([refused.status, refused.body.fields.right]).toEqual([403, "seeExpectedCash"]);
    }
  });
});

describe("a search for sales", () => {
  it.each(["", "%", "abc", "1;2", "9".repeat(41)])(
    "fails for %j, and the error names the field",
    async (typed) => {
      const path = `/found-sales?typed=${encodeURIComponent(typed)}`;
      const { status, body } = await who("owner").pos("GET", path);
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ["typed"]]);
    },
  );

  it("finds no training sales outside training, and only training sales during training", async () => {
    const { saleNumber } = sold["Ana's of today"] ?? { saleNumber: 0 };
    const ana = who("ana");
    await ana.pos("POST", "/session/training", { on: true });
    const path = `/found-sales?typed=${saleNumber}`;
    expect((await ana.pos("GET", path)).body).toEqual({ list: [] });
    const trained = (
      await ana.sell([
        { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBERS["Ana's of today"] },
      ])
    ).body;
    const own = (await ana.pos("GET", `/found-sales?typed=${trained.saleNumber}`)).body.list;
    expect(own.map(({ saleId }: { saleId: string }) => saleId)).toEqual([trained.saleId]);
    await ana.pos("POST", "/session/training", { on: false });
    const other = (await ana.pos("GET", `/found-sales?typed=${trained.saleNumber}`)).body;
    expect(other).toEqual({ list: [] });
  });
});
