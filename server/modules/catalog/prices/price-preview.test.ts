import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { setUpTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await setUpTill(gateway, { currency: "GTQ", rate: "7.75" });
});
afterAll(() => gateway.close());

async function countTurnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await new Promise(setImmediate);
  return turns;
}

it("a price preview pauses after every 20 offers, so that other work can run", async () => {
  const { newest, list } = (await owner.pos("GET", "/prices/test")).body;
  const { rules: _, ...settings } = list;
  const rule = {
    ruleId: "one",
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent: "12",
  };
  const draft = { list: { ...settings, rules: [rule] } };
  const asking = owner.pos("POST", "/prices/test/preview", draft);
  const turns = await countTurnsDuring(asking);
  const { status, body } = await asking;
  expect([status, body.fields, newest]).toEqual([200, undefined, 0]);
  expect(body.offers).toBeGreaterThan(1_000);
  expect(body.largest).toHaveLength(10);
  expect(turns).toBeGreaterThan(body.offers / 20);
});

it("a price preview names RANGE offers that lose some of their values", async () => {
  const { list } = (await owner.pos("GET", "/prices/test")).body;
  const { rules: _, ...settings } = list;
  const rule = {
    ruleId: "one",
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent: "7.3",
  };
  const bands = [
    { below: 5_000, step: 25, offset: 0 },
    { step: 100, offset: 99 },
  ];
  const preview = async (change: object) => {
    const draft = { list: { ...settings, rules: [{ ...rule, ...change }] } };
    const { status, body } = await owner.pos("POST", "/prices/test/preview", draft);
    expect([status, body.fields]).toEqual([200, undefined]);
    return body;
  };
  const plain = await preview({});
  for (const change of [{ rounding: { direction: "UP", bands } }, { maxProfit: 200 }]) {
    const { blocked, shortened, shortenedOffers } = await preview(change);
    expect([change, blocked]).toEqual([change, plain.blocked]);
    // A coarser step may leave out the smallest amounts, but never the largest.
    for (const offer of shortenedOffers) expect(offer.max).toBe(offer.fullMax);
    expect(shortened).toBeGreaterThanOrEqual(shortenedOffers.length);
  }
});
