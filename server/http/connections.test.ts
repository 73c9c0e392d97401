import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway;
let socket: Socket | undefined;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(async () => {
  socket?.destroy();
  await till.close();
});

async function open(bytes = ""): Promise<Socket> {
  const opened = connect(Number(new URL(till.url).port), "127.0.0.1");
  opened.on("error", () => {});
  opened.resume();
  await once(opened, "connect");
  if (bytes !== "") opened.write(bytes);
  socket = opened;
  return opened;
}

/** Closes the gateway; fails the test's time limit where that waits for ever. */
async function closed(): Promise<string> {
  await till.gateway.close();
  return "closed";
}

it("a stop does not wait for a connection that never sent a request", async () => {
  const unused = await open();
  const ended = once(unused, "close");
  expect(await closed()).toBe("closed");
  await ended;
});

it("a stop does not wait for a connection between two requests", async () => {
  const kept = await open("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(kept, "data");
  expect(await closed()).toBe("closed");
});

it("a stop cuts off a request whose body never comes, after five seconds", async () => {
  const { port } = new URL(till.url);
  await open(
    `POST /pos/setup HTTP/1.1\r\nhost: localhost:${port}\r\n` +
      "content-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  // The gateway answers others by then, so it has read this one's head too.
  expect((await till.call("GET", "/pos/status")).status).toBe(200);
  let done = false;
  const stop = closed().then(() => {
    done = true;
  });
  while (till.clock.nextTimer() !== till.clock.now() + 5 * SECOND) {
    await new Promise(setImmediate);
  }
  expect(done).toBe(false);
  till.clock.set(till.clock.now() + 5 * SECOND);
  await stop;
});

it("a request that was under way when the stop came is taken whole or not at all", async () => {
  const answers = Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      till.v1("POST", "/topups/purchases", {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId: `last-${n}`,
        recipientPhoneNumber: "+50251234567",
      }),
    ),
  );
  await till.v1("GET", "/balance");
  const [, bought] = await Promise.all([closed(), answers]);
  // What was answered 200 is there after the restart.
  await till.restart();
  for (const answer of bought) {
    if (answer.status === "rejected") continue;
    const { status, body } = answer.value;
    expect([200, 503]).toContain(status);
    if (status !== 200) continue;
    const path = `/topups/purchases/${body.transactionId}`;
    expect((await till.v1("GET", path)).status).toBe(200);
  }
});
