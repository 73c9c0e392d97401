import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, get } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CONNECTION_LIMITS } from "../http/connections.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { until } from "../testing/until.ts";
import { Visitor } from "../testing/visitor.ts";

/**
 * A clerk sells while 500 event streams and 5,000 silent connections are open. `npm run
 * bench:sales` measures the time of such a sale.
 */
const STREAMS = 500;
const SILENT = 5_000;
const SOURCES = 50;
const SALES = 15;
const SIGN_INS = 12;
const STREAMS_PER_SESSION = 8;
const OWNER_PIN = "582931";

let dataDir: string;
let shop: ServerProcess;
let ana: Visitor;
let bens: Visitor[];
const crowd: (Socket | ClientRequest)[] = [];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-crowd-"));
  shop = await startServerProcess(dataDir);
  const owner = new Visitor(shop.url);
  const setup = { shopName: "Corner Shop", currency: "USD", language: "en", ownerName: "Olga" };
  expect((await owner.setUp({ ...setup, ownerPin: OWNER_PIN })).status).toBe(200);
  const hire = async (name: string, pin: string, sessions: number) => {
    const staffId = await owner.hire({ name, role: "clerk", pin });
    const signedIn: Visitor[] = [];
    for (let n = 0; n < sessions; n++) {
      const browser = new Visitor(shop.url);
      expect((await browser.signIn(staffId, pin)).status).toBe(200);
      signedIn.push(browser);
    }
    return signedIn;
  };
  [ana = owner] = await hire("Ana", "1408", 1);
  bens = await hire("Ben", "5064", SIGN_INS);
  const opened = await ana.pos("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  expect(opened.status).toBe(200);
});
afterEach(async () => {
  disperse();
  await shop.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

function disperse(): void {
  for (const one of crowd.splice(0)) one.destroy();
}

function sourceOf(n: number): string | undefined {
  return process.platform === "linux" ? `127.0.9.${1 + (n % SOURCES)}` : undefined;
}

async function sellSome(): Promise<void> {
  const offerId = "TIGO_GT_TOPUP_25";
  for (let n = 0; n < SALES; n++) {
    const price = Number((await ana.pos("POST", "/quotes", { offerId })).body.price);
    const line = { productType: "TOPUP", offerId, transactionId: randomUUID(), price };
    const sale = {
      saleId: randomUUID(),
      lines: [{ ...line, recipientPhoneNumber: "+50251234567" }],
      tenders: [{ kind: "CASH", tendered: price }],
    };
    const { status, text } = await ana.pos("POST", "/sales", sale);
    expect([status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  }
}

async function openStreams(): Promise<number> {
  let open = 0;
  for (let n = 0; n < STREAMS; n++) {
    const visitor = bens[n % bens.length];
    const cookie = [...(visitor?.cookies ?? [])]
      .map(([key, value]) => `${key}=${value}`)
      .join("; ");
    const request = get(new URL("/pos/events", shop.url), {
      agent: false,
      headers: { cookie, accept: "text/event-stream" },
      ...(sourceOf(n) !== undefined && { localAddress: sourceOf(n) }),
    });
    crowd.push(request);
    request.on("error", () => {});
    const status = await new Promise<number>((resolve) => {
      request.once("response", (response) => {
        response.on("error", () => {});
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.once("error", () => resolve(0));
    });
    if (status === 200) open += 1;
  }
  return open;
}

async function openSilent(): Promise<Socket[]> {
  const { port } = new URL(shop.url);
  const sockets: Socket[] = [];
  for (let n = 0; n < SILENT; n += 100) {
    const some = Array.from({ length: 100 }, (_, index) => {
      const from = sourceOf(n + index);
      const socket = connect({
        port: Number(port),
        host: "127.0.0.1",
        ...(from !== undefined && { localAddress: from }),
      });
      socket.on("error", () => {});
      socket.resume();
      crowd.push(socket);
      return socket;
    });
    await Promise.all(
      some.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once("connect", resolve).once("close", () => resolve());
          }),
      ),
    );
    sockets.push(...some);
  }
  return sockets;
}

it("the gateway limits streams and connections, and still serves the clerk and new clients", async () => {
  const streams = await openStreams();
  expect(streams).toBeGreaterThan(0);
  expect(streams).toBeLessThanOrEqual(SIGN_INS * STREAMS_PER_SESSION);
  const silent = await openSilent();
  await until(() => silent.filter(({ closed }) => !closed).length <= CONNECTION_LIMITS.ofMachine);
  await sellSome();
  expect((await new Visitor(shop.url).pos("GET", "/status")).status).toBe(200);
});
