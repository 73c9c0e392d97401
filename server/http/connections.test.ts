import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildApp } from "../gateway/app.ts";
import { SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { until } from "../testing/until.ts";
import { CONNECTION_LIMITS } from "./connections.ts";

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

async function closed(): Promise<string> {
  await till.gateway.close();
  return "closed";
}

it("a stop does not wait for a connection that has sent no request", async () => {
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

it("a stop ends a request with an incomplete body after five seconds", async () => {
  const { port } = new URL(till.url);
  await open(
    `POST /pos/setup HTTP/1.1\r\nhost: localhost:${port}\r\n` +
      "content-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  // This response proves that the gateway has read the head of the first request.
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

it("the gateway closes a silent connection after ten seconds, but not an active connection", async () => {
  const silent = [await open(), await open(), await open()];
  const ended = Promise.all(silent.map((one) => once(one, "close")));
  const asking = await open("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(asking, "data");
  till.clock.set(till.clock.now() + 10 * SECOND - 1);
  await till.call("GET", "/pos/status");
  expect(silent.map((one) => one.closed)).toEqual([false, false, false]);
  till.clock.set(till.clock.now() + 1);
  await ended;
  asking.write("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(String((await once(asking, "data"))[0])).toMatch(/^HTTP\/1.1 200/);
});

it("a connection beyond the limit gets an error body, and later connections are accepted again", async () => {
  await till.close();
  till = await startTestGateway({
    connectionLimits: { ofSource: 2, ofNetwork: 3, ofMachine: 4 },
  });
  const kept: Socket[] = [];
  for (let n = 0; n < 4; n++) {
    const asking = await open("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await once(asking, "data");
    kept.push(asking);
  }
  const refused = await open();
  let text = "";
  refused.on("data", (chunk) => {
    text += String(chunk);
  });
  await once(refused, "close");
  expect(text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(text).toMatch(/\r\nconnection: close\r\n/);
  expect(text).toMatch(/\r\nretry-after: 1\r\n/);
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toEqual({
    errorCode: "SYSTEM_UNAVAILABLE",
    message: expect.stringMatching(/Too many connections/),
    fields: {},
  });
  kept[0]?.destroy();
  await until(async () => {
    const next = await open("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
    return String((await once(next, "data"))[0]).startsWith("HTTP/1.1 200");
  });
  for (const one of kept) one.destroy();
});

it("the gateway does not process a request on a connection beyond the limit", async () => {
  await till.close();
  till = await startTestGateway({ connectionLimits: { ofSource: 0, ofNetwork: 0, ofMachine: 0 } });
  const { port } = new URL(till.url);
  const body = JSON.stringify({
    shopName: "S",
    currency: "USD",
    language: "en",
    ownerPin: "471183",
  });
  const asked = connect(Number(port), "127.0.0.1");
  asked.on("error", () => {});
  asked.resume();
  asked.end(
    `POST /pos/setup HTTP/1.1\r\nhost: localhost:${port}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await once(asked, "close");
  await till.settle();
  expect(await till.gateway.context.shop.find("default")).toBeUndefined();
});

it("the gateway closes a silent connection to make room for a new connection", async () => {
  await till.close();
  till = await startTestGateway({ connectionLimits: { ofSource: 1, ofNetwork: 1, ofMachine: 2 } });
  const asking = await open("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(asking, "data");
  const silent = await open();
  const ended = once(silent, "close");
  const next = await open("GET /pos/status HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(String((await once(next, "data"))[0])).toMatch(/^HTTP\/1.1 200/);
  await ended;
  expect(asking.closed).toBe(false);
  asking.destroy();
  next.destroy();
});

it.each([
  ["one source", { ofSource: 2, ofNetwork: 9 }, ["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.1"]],
  ["a subscriber", { ofSource: 1, ofNetwork: 9 }, ["2001:db8::1", "2001:db8:1::1", "2001:db8::2"]],
  ["the network", { ofSource: 9, ofNetwork: 2 }, ["10.0.0.1", "10.0.0.2", "::ffff:10.0.0.3"]],
])(
  "the limit of %s applies, and does not restrict this machine",
  async (_name, limits, addresses) => {
    await till.close();
    till = await startTestGateway({ connectionLimits: { ...limits, ofMachine: 1 } });
    const app = await buildApp(till.gateway.context);
    const [limit] = app.server.listeners("connection").slice(-1);
    const come = (remoteAddress: string) => {
      const socket = Object.assign(new PassThrough(), { remoteAddress, bytesRead: 0 });
      limit?.call(app.server, socket);
      return socket;
    };
    const isRefused = ({ destroyed, writableEnded }: PassThrough) => destroyed || writableEnded;
    const machine = come("127.0.0.1");
    const sockets = addresses.map(come);
    expect(sockets.map(isRefused)).toEqual(sockets.map((_one, n) => n === 0));
    expect(isRefused(machine)).toBe(false);
    expect([come("::1"), machine].map(isRefused)).toEqual([false, true]);
    await app.close();
  },
);

it("a stop either completes a running request or rejects it", async () => {
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
  // Each purchase that got a 200 is still stored after the restart.
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

it.each([
  ["close after it", 400, CONNECTION_LIMITS, false],
  ["stay open", 600, { ofSource: 4, ofNetwork: 4, ofMachine: 4 }, true],
])("simultaneous connections that %s each get a response", async (_name, count, limits, isOpen) => {
  await till.close();
  till = await startTestGateway({ connectionLimits: limits });
  const port = Number(new URL(till.url).port);
  const opened = Array.from({ length: count }, () => {
    const one = connect({ port, host: "127.0.0.1", allowHalfOpen: isOpen });
    const answer = { text: "" };
    one.on("error", () => {});
    one.on("data", (chunk) => {
      answer.text += String(chunk);
    });
    const ended = new Promise((resolve) => {
      one.once("end", resolve).once("close", resolve);
    });
    return { one, answer, ended };
  });
  await Promise.all(opened.map(({ one }) => once(one, "connect")));
  for (const { one } of opened) {
    if (one.writable) {
      one.write("GET /pos/status HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    }
  }
  await Promise.all(opened.map(({ ended }) => ended));
  for (const { one } of opened) one.destroy();
  const statuses = opened.map(
    ({ answer }) => /^HTTP\/1\.1 (\d{3}) /.exec(answer.text)?.[1] ?? "none",
  );
  const countOf = (status: string) => statuses.filter((one) => one === status).length;
  expect([countOf("200") + countOf("503"), countOf("none")]).toEqual([count, 0]);
  expect(countOf("200")).toBeGreaterThan(0);
});

it("a request whose body does not arrive in time is refused with 408", async () => {
  const app = await buildApp(till.gateway.context);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const accepted = once(app.server, "connection");
  const { port } = app.server.address() as AddressInfo;
  const slow = connect(port, "127.0.0.1");
  const asked = once(app.server, "request");
  slow.write(
    `POST /v1/topups/purchases HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${till.key("test")}\r\n` +
      "content-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  const [[socket]] = await Promise.all([accepted, asked]);
  // Node checks for late requests only twice a minute, so the test emits the error itself.
  const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  app.server.emit("clientError", late, socket);
  const [text] = await once(slow, "data");
  expect(String(text)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  slow.destroy();
  await app.close();
});
