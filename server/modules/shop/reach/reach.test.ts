import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGateway } from "../../../index.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../../../testing/first-day.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { describeWays, ReachService } from "./index.ts";

let isOpen: boolean | undefined;
let asked: number;
let server: Server;
let till: TestGateway;

async function findFirewall(port: number) {
  asked++;
  return { name: "ufw", isOpen, command: `sudo ufw allow ${port}/tcp` } as const;
}

beforeEach(async () => {
  isOpen = false;
  asked = 0;
  server = createServer((socket) => socket.end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.close();
  await till?.close();
});

const opened = () => {
  const { port } = server.address() as AddressInfo;
  return { scheme: "https", host: "192.168.1.20", port, server } as const;
};

async function openShop(): Promise<TestTill> {
  till = await startTestGateway({ findFirewall });
  const owner = await openTill(till);
  till.gateway.context.reach.watch([opened()]);
  return owner;
}

async function causesAfter(minutes: number, owner: TestTill): Promise<string[]> {
  for (let n = 0; n < minutes; n++) till.clock.set(till.clock.now() + MINUTE);
  await till.gateway.context.alertRounds.look();
  // Signs in again, because the previous session has expired.
  const again = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
  const { open } = (await again.pos("GET", "/alerts")).body;
  const causes: string[] = open.map(({ cause }: { cause: string }) => cause);
  return causes.filter((cause) => cause.startsWith("PORT_"));
}

it("an owner sees the firewall that blocks the till, and how to open the port", async () => {
  const owner = await openShop();
  const { port } = opened();
  const url = `https://192.168.1.20:${port}`;
  const command = `sudo ufw allow ${port}/tcp`;
  expect((await owner.pos("GET", "/network/reach")).body).toEqual({
    listeners: [
      { url, port, reached: false, firewall: { name: "ufw", state: "BLOCKED", command } },
    ],
  });
  expect(await causesAfter(0, owner)).toEqual(["PORT_BLOCKED"]);
  const [alert] = (await owner.pos("GET", "/alerts")).body.open;
  expect(alert.facts).toEqual({ name: "ufw", address: url, reference: command });
  isOpen = true;
  expect(await causesAfter(5, owner)).toEqual([]);
});

it("an alert appears after a day with unreadable firewall rules and no connection from another machine", async () => {
  isOpen = undefined;
  const owner = await openShop();
  const [listener] = (await owner.pos("GET", "/network/reach")).body.listeners;
  expect(listener.firewall.state).toBe("UNKNOWN");
  expect(await causesAfter(23 * 60, owner)).toEqual([]);
  expect(await causesAfter(60, owner)).toEqual(["PORT_UNREACHED"]);
});

it("a connection from another machine proves that the port is open; a connection from this machine does not", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  let isOwn = true;
  const isOwnAddress = (address: string) => seen.push(address) > 0 && isOwn;
  const reach = new ReachService({ clock, findFirewall, isOwnAddress });
  reach.watch([opened()]);
  const visit = async () => {
    const { port } = opened();
    const socket = connect(port, "127.0.0.1").resume();
    await once(socket, "close");
    const [listener] = await reach.listListeners();
    return [listener?.reached, listener?.firewall?.state];
  };
  expect(await visit()).toEqual([false, "BLOCKED"]);
  isOwn = false;
  expect(await visit()).toEqual([true, "OPEN"]);
  expect(await visit()).toEqual([true, "OPEN"]);
  expect(seen).toEqual(["127.0.0.1", "127.0.0.1"]);
});

it("simultaneous requests query the firewall only once", async () => {
  const clock = new FakeClock();
  const reach = new ReachService({ clock, findFirewall });
  reach.watch([opened()]);
  await Promise.all(Array.from({ length: 20 }, () => reach.listListeners()));
  expect(asked).toBe(1);
  clock.set(clock.now() + HOUR);
  await reach.listListeners();
  expect(asked).toBe(2);
});

it("the gateway checks its configured listeners, and checks none if it serves only this machine", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-reach-"));
  const overrides = { ...TEST_OVERRIDES, clock: new FakeClock(), findFirewall };
  const network = { tillListen: { host: "0.0.0.0", port: 0 } };
  for (const config of [testConfig(dataDir), { ...testConfig(dataDir), ...network }]) {
    const gateway = await createGateway(config, overrides);
    const { tillUrl } = await gateway.listen();
    const ports = (await gateway.context.reach.listListeners()).map(({ port }) => port);
    expect(ports).toEqual(tillUrl === undefined ? [] : [Number(new URL(tillUrl).port)]);
    await gateway.close();
  }
  rmSync(dataDir, { recursive: true });
});

it("the log describes each listener in sentences", () => {
  const of = (known: boolean | undefined) =>
    describeWays([
      {
        scheme: "https",
        url: "https://192.168.1.20:7443",
        port: 7443,
        firewall: { name: "ufw", isOpen: known, command: "sudo ufw allow 7443/tcp" },
      },
    ]);
  expect(of(false)).toEqual({
    isInDoubt: true,
    lines: [
      "Other machines reach https://192.168.1.20:7443. To try it, type on one of them: curl --insecure https://192.168.1.20:7443/",
      "ufw blocks the port 7443. An administrator opens it: sudo ufw allow 7443/tcp",
    ],
  });
  expect(of(undefined).isInDoubt).toBe(true);
  expect(of(undefined).lines[1]).toMatch(/^ufw is on, and only an administrator sees/);
  expect(of(true)).toMatchObject({ isInDoubt: false });
  const open = { scheme: "http", url: "http://192.168.1.20:7480", port: 7480 } as const;
  expect(describeWays([{ ...open, firewall: undefined }])).toEqual({
    isInDoubt: false,
    lines: [
      "Other machines reach http://192.168.1.20:7480. To try it, type on one of them: curl http://192.168.1.20:7480/",
    ],
  });
  expect(describeWays([]).lines).toEqual([
    "Only this machine reaches Tillgate: no firewall is asked.",
  ]);
});
