import { afterEach, beforeEach, expect, it } from "vitest";
import { countedSimulator } from "../testing/counted-simulator.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { startReceiver } from "../testing/webhook-receiver.ts";

let gateways: [TestGateway, TestGateway];

let submitted: readonly string[];

beforeEach(async () => {
  const counted = countedSimulator(() => gateways[0]);
  submitted = counted.submitted;
  const providers = { test: counted.provider };
  const first = await startTestGateway({ providers });
  gateways = [first, await startGatewayBeside(first, { providers })];
});
afterEach(async () => {
  const [first, second] = gateways;
  await first.expectCleanBooks();
  await second.close();
  await first.close();
});

async function settle(): Promise<void> {
  for (const each of gateways) await each.settle();
  await gateways[0].advance(1_000);
  await gateways[1].settle();
}

function buy(gateway: TestGateway, transactionId: string) {
  const body = {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  };
  return gateway.v1("POST", "/topups/purchases", body);
}

it("two gateways on one PostgreSQL send each purchase and each webhook only once", async () => {
  const [first] = gateways;
  const receiver = await startReceiver(first);
  for (const each of gateways.slice(1)) each.outside.add(receiver);
  const owner = { accountId: "default", staffId: undefined };
  const hook = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
  await first.gateway.context.webhooks.add(owner, { ...hook, url: `${receiver.url}/hook` });
  const ids = Array.from({ length: 60 }, (_, n) => `sent-${n}`);
  await Promise.all(ids.map((id, n) => buy(gateways[n % 2]!, id)));
  for (let second = 0; second < 5; second++) await settle();
  const sold = (body: string) => JSON.parse(body).transactionId as string;
  expect(submitted.toSorted()).toEqual(ids.toSorted());
  expect(receiver.received.map(({ body }) => sold(body)).toSorted()).toEqual(ids.toSorted());
  expect(new Set(receiver.ids).size).toBe(ids.length);
  await receiver.close();
});
