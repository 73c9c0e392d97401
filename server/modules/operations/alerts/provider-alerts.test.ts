import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { type FakeReloadly, startFakeReloadly } from "../../../testing/fake-reloadly.ts";
import { OWNER, startReloadlyShop } from "../../../testing/providers-under-test.ts";
import type { TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const OFFER = "RLD-91-3.00-USD:p2";

let till: TestGateway;
let owner: TestTill;
let first: FakeReloadly;
let second: FakeReloadly;

/** Starts a shop whose second provider is the only one to sell a brand. */
beforeEach(async () => {
  ({ till, fake: first } = await startReloadlyShop());
  owner = await openTill(till);
  second = await startFakeReloadly(till.clock);
  const [tigo] = second.operators;
  const movistar = { operatorId: 91, name: "Movistar Guatemala", fixedAmounts: [3] };
  second.operators = [...second.operators, { ...tigo, ...movistar }];
  const { url: baseUrl, clientId, secret: key } = second;
  const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true } as const;
  const { upstream, upstreamSync } = till.gateway.context;
  await upstream.connect(OWNER, { ...typed, newName: "South" });
  await upstreamSync.sync({ ...OWNER, providerId: "p2" });
});
afterEach(async () => {
  await till.close();
  await Promise.all([first, second].map((fake) => fake.close()));
});

async function buy(transactionId: string): Promise<void> {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  expect((await till.v1("POST", "/topups/purchases", body, "live")).status).toBe(200);
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.settle();
}

async function listOpen(): Promise<unknown[]> {
  await till.settle();
  await till.gateway.context.alertRounds.look();
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
  return (await owner.pos("GET", "/alerts")).body.open;
}

describe("alerts of a shop with several providers", () => {
  it("name the provider of a slow or paused brand", async () => {
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT");
      return path === "/topups";
    };
    await buy("sale-1");
    await till.advance(2 * MINUTE + SECOND);
    const name = "Movistar Guatemala (South)";
    expect(await listOpen()).toContainEqual(
      expect.objectContaining({ cause: "PROVIDER_SLOW", facts: expect.objectContaining({ name }) }),
    );
    for (let n = 2; n <= 5; n++) await buy(`sale-${n}`);
    expect(await listOpen()).toContainEqual(
      expect.objectContaining({ cause: "BRAND_PAUSED", facts: expect.objectContaining({ name }) }),
    );
  });
});
