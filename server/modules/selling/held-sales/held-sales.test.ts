import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HeldSaleInput } from "../../../contract/pos/held-sales.ts";
import { MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function aBasket(label = "Lady in red"): HeldSaleInput {
  return {
    heldSaleId: randomUUID(),
    label,
    lines: [
      {
        input: {
          productType: "TOPUP",
          offerId: "TIGO_GT_TOPUP_25",
          recipientPhoneNumber: "+50251234567",
        },
        shown: {
          brand: "TIGO",
          brandName: "Tigo",
          brandColor: "#00377b",
          country: "GT",
          title: "25 GTQ",
          recipientFormatted: "+502 5123 4567",
          price: 2_635,
          priceFee: 50,
          discount: 35,
          priceCurrency: "GTQ",
          priceCurrencyDivisor: 100,
        },
      },
    ],
  };
}

const hold = (basket: HeldSaleInput) => owner.pos("POST", "/held-sales", basket);
const resume = (heldSaleId: string, resumeId: string = randomUUID()) =>
  owner.pos("POST", `/held-sales/${heldSaleId}/resume`, { resumeId });

async function waiting(): Promise<string[]> {
  const { list } = (await owner.pos("GET", "/held-sales")).body;
  return (list as { heldSaleId: string }[]).map(({ heldSaleId }) => heldSaleId);
}

describe("a held sale", () => {
  it("stays in the list until it is resumed, even through a restart, and newer sales come first", async () => {
    const first = aBasket();
    const held = (await hold(first)).body;
    expect(held).toEqual({
      heldSaleId: first.heldSaleId,
      label: "Lady in red",
      heldAt: toTimestamp(till.clock.now()),
      staff: { staffId: owner.staffId, name: "Olga" },
      currency: "GTQ",
      currencyDivisor: 100,
      total: 2_600,
      lines: first.lines,
    });
    await till.advance(MINUTE);
    const second = aBasket("  Sir Tall ");
    expect((await hold(second)).body.label).toBe("Sir Tall");
    await till.restart();
    expect(await waiting()).toEqual([second.heldSaleId, first.heldSaleId]);
    expect((await resume(first.heldSaleId)).body).toEqual(held);
    expect(await waiting()).toEqual([second.heldSaleId]);
    await owner.pos("DELETE", `/held-sales/${second.heldSaleId}`);
    expect(await waiting()).toEqual([]);
  });

  it("gets stored once for repeated requests, and does not reappear after its end", async () => {
    const basket = aBasket();
    await Promise.all([1, 2, 3].map(() => hold(basket)));
    expect(await waiting()).toEqual([basket.heldSaleId]);
    const other = await hold({ ...basket, label: "Somebody else" });
    expect([other.status, other.body.errorCode]).toEqual([409, "ID_TAKEN"]);
    await resume(basket.heldSaleId);
    expect((await hold(basket)).status).toBe(200);
    expect(await waiting()).toEqual([]);
  });

  it("can be resumed by only one till, which gets the same sale again after a lost response", async () => {
    const { heldSaleId } = (await hold(aBasket())).body;
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const answers = await Promise.all(ids.map((id) => resume(heldSaleId, id)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404]);
    const winner = ids[answers.findIndex(({ status }) => status === 200)];
    expect((await resume(heldSaleId, winner)).body.heldSaleId).toBe(heldSaleId);
    expect((await owner.pos("DELETE", `/held-sales/${heldSaleId}`)).status).toBe(404);
  });

  it("disappears when it is discarded, and discarding it again changes nothing", async () => {
    const { heldSaleId } = (await hold(aBasket())).body;
    for (const _time of [1, 2]) {
      expect((await owner.pos("DELETE", `/held-sales/${heldSaleId}`)).status).toBe(200);
    }
    expect((await resume(heldSaleId)).status).toBe(404);
    expect((await owner.pos("DELETE", `/held-sales/${randomUUID()}`)).status).toBe(404);
  });

  it("exists only in its own environment", async () => {
    const { heldSaleId } = (await hold(aBasket())).body;
    const { transactor } = till.gateway.context;
    const sellIn = (environment: "test" | "live") =>
      transactor.transact("default", (tx) =>
        tx.updateTable("shops").set({ till_environment: environment }).execute(),
      );
    await sellIn("live");
    expect(await waiting()).toEqual([]);
    expect((await resume(heldSaleId)).status).toBe(404);
    await sellIn("test");
    expect(await waiting()).toEqual([heldSaleId]);
    await resume(heldSaleId);
  });

  it.each<[string, (basket: HeldSaleInput) => object, string]>([
    ["of no lines", (basket) => ({ ...basket, lines: [] }), "lines"],
    ["without a label", (basket) => ({ ...basket, label: " " }), "label"],
    [
      "of a strange product",
      (basket) => withInput(basket, { productType: "CAKE" }),
      "lines.0.input.productType",
    ],
    [
      "with an id of its own",
      (basket) => withInput(basket, { transactionId: "x" }),
      "lines.0.input.transactionId",
    ],
  ])("%s is refused, and the error names the field", async (_name, change, field) => {
    const answer = await owner.pos("POST", "/held-sales", change(aBasket()));
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
    expect(await waiting()).toEqual([]);
  });
});

function withInput(basket: HeldSaleInput, change: object): object {
  const lines = basket.lines.map(({ input, shown }) => ({ input: { ...input, ...change }, shown }));
  return { ...basket, lines };
}
