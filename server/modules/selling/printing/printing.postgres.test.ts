import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakePrinter, startFakePrinter } from "../../../testing/fake-printer.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { until } from "../../../testing/until.ts";

/** Requests alternate between the two gateways. */
let here: TestGateway;
let there: TestGateway;
let till: TestTill;
let device: FakePrinter;
const printerId = randomUUID();
beforeEach(async () => {
  here = await startTestGateway();
  there = await startGatewayBeside(here);
  till = await openTill(here);
  device = await startFakePrinter();
  const printer = { name: "P", host: device.host, port: device.port, paper: "80mm", drawer: true };
  expect((await till.pos("PUT", `/printers/${printerId}`, printer)).status).toBe(200);
});
afterEach(async () => {
  await here.expectCleanBooks();
  await there.close();
  await here.close();
  await device.close();
});

const BEGINNING = Buffer.from([0x1b, 0x40, 0x1c, 0x2e, 0x1b, 0x4d, 0]);
const PULSE = Buffer.concat([BEGINNING, Buffer.from([0x1b, 0x70, 0, 50, 250])]);
const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

function print(gateway: TestGateway, bytes: Buffer, more: { printId: string; drawer?: object }) {
  const body = { data: bytes.toString("base64"), ...more };
  const init = { headers: { cookie: till.cookie }, body };
  return gateway.call("POST", `/pos/printers/${printerId}/prints`, init);
}

function read(gateway: TestGateway, printId: string) {
  const path = `/pos/printers/${printerId}/prints/${printId}`;
  return gateway.call("GET", path, { headers: { cookie: till.cookie } });
}

const printed = () => device.received.filter(({ length }) => length > 0).length;

it("a print is known to every gateway, and only one gateway prints it", async () => {
  const printId = randomUUID();
  const asked = await Promise.all(
    Array.from({ length: 10 }, (_, n) => print(n % 2 ? here : there, BEGINNING, { printId })),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  for (const gateway of [here, there]) {
    await until(async () => {
      await here.advance(500);
      return (await read(gateway, printId)).body.state === "PRINTED";
    });
  }
  expect((await print(there, BEGINNING, { printId })).body.state).toBe("PRINTED");
  expect(printed()).toBe(1);
});

it("a sale opens the drawer once for concurrent requests to several gateways", async () => {
  for (let round = 1; round <= 3; round++) {
    const { saleId } = (await till.sell([LINE])).body;
    const drawer = { reason: "SALE", id: saleId };
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        print(n % 2 ? here : there, PULSE, { printId: randomUUID(), drawer }),
      ),
    );
    const statuses = asked.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403, 403, 403]);
    await until(async () => {
      await here.advance(500);
      return printed() === round;
    });
  }
});

it("receipts from two gateways are printed completely by a printer that accepts one connection at a time", async () => {
  device.takesOne = true;
  const receipts = Array.from({ length: 6 }, (_, n) =>
    Buffer.concat([BEGINNING, Buffer.from(String(n).repeat(40_000))]),
  );
  const prints = receipts.map((bytes) => ({ bytes, printId: randomUUID() }));
  await Promise.all(
    prints.map(({ bytes, printId }, n) => print(n % 2 ? here : there, bytes, { printId })),
  );
  for (const { printId } of prints) {
    await until(async () => {
      await here.advance(500);
      return (await read(here, printId)).body.state !== "WAITING";
    });
    expect((await read(there, printId)).body).toMatchObject({ state: "PRINTED", confirmed: true });
  }
  const whole = device.received.filter(({ length }) => length > 0);
  expect(whole.map((bytes) => bytes.toString("latin1")).toSorted()).toEqual(
    receipts.map((bytes) => bytes.toString("latin1")).toSorted(),
  );
});
