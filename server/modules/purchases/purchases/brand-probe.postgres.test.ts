import { afterEach, beforeEach, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { countedSimulator } from "../../../testing/counted-simulator.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";

let gateways: [TestGateway, TestGateway, TestGateway];
let submitted: readonly string[];
beforeEach(async () => {
  const counted = countedSimulator(() => gateways[0]);
  submitted = counted.submitted;
  const providers = { test: counted.provider };
  const first = await startTestGateway({ providers });
  gateways = [
    first,
    await startGatewayBeside(first, { providers }),
    await startGatewayBeside(first, { providers }),
  ];
});
afterEach(async () => {
  const [first, ...others] = gateways;
  await first.expectCleanBooks();
  for (const other of others) await other.close();
  await first.close();
});

/** The provider is never available for this number. */
const BAD = "+50251239004";

async function buy(n: number, transactionId: string): Promise<void> {
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber: BAD };
  const answer = await gateways[n % 3]!.v1("POST", "/topups/purchases", body);
  expect(answer.status).toBe(200);
}

async function settle(): Promise<void> {
  for (const each of [...gateways, ...gateways]) await each.settle();
}

it("a paused brand sends one purchase each minute, even with several gateways", async () => {
  for (let n = 0; n < 5; n++) {
    await buy(n, `bad-${n}`);
    await settle();
  }
  await Promise.all(Array.from({ length: 12 }, (_, n) => buy(n, `waits-${n}`)));
  await settle();
  const waiting = () => submitted.filter((id) => id.startsWith("waits-"));
  expect(waiting()).toEqual([]);
  for (let minute = 1; minute <= 4; minute++) {
    const before = submitted.length;
    gateways[0].clock.set(gateways[0].clock.now() + MINUTE);
    await settle();
    await settle();
    expect(submitted.length - before).toBe(1);
  }
});
