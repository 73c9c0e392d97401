import { X509Certificate } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { OWN_PIN_HEADER } from "../../../contract/pos/operation.ts";
import { type NetworkShop, openNetworkShop } from "../../../testing/network-shop.ts";
import { startTestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill } from "../../../testing/test-till.ts";
import { readAuthority } from "../certificates/index.ts";
import { entranceOf } from "../reach/index.ts";

let shop: NetworkShop;
let cookie: string;
beforeEach(async () => {
  shop = await openNetworkShop();
  const device = await shop.enrol("Tablet");
  cookie = `${device}; ${(await shop.signIn(device)).cookies[0]?.split(";", 1)[0]}`;
});
afterEach(() => shop.close());

const headers = { [OWN_PIN_HEADER]: OWNER_PIN };
const ask = (path: string, more: object = {}) =>
  shop.ask(`/pos${path}`, { cookie, headers, ...more });
const read = async () => JSON.parse((await ask("/devices")).text);

it("an owner sees the list of devices, and how to enrol another device", async () => {
  const { list, entrance } = await read();
  const [device, ...others] = list;
  expect(others).toEqual([]);
  expect(device).toEqual({
    deviceId: expect.any(String),
    name: "Tablet",
    enrolledAt: expect.any(String),
    seenAt: expect.any(String),
    address: "127.0.0.1",
    isHere: true,
  });
  const authority = new X509Certificate((await readAuthority(shop.dataDir)) ?? "");
  expect(entrance).toEqual({
    addresses: [`https://127.0.0.1:${shop.tillPort}`],
    authority: authority.fingerprint256,
  });
});

it("an owner makes a code and revokes a device, and the audit trail records both with the owner's name", async () => {
  const made = await ask("/devices/codes", { method: "POST", json: { name: " Till 3 " } });
  const { code, lastsS } = JSON.parse(made.text);
  shop.clock.set(shop.clock.now() + 1);
  expect(lastsS).toBe(600);
  const enrolled = await shop.ask("/enrol", { method: "POST", form: `code=${code}` });
  expect(enrolled.status).toBe(303);
  const third = (await read()).list.find(({ name }: { name: string }) => name === "Till 3");
  expect(third.isHere).toBe(false);
  const revoke = (id: string) => ask(`/devices/${id}`, { method: "DELETE" });
  expect((await revoke(third.deviceId)).status).toBe(200);
  expect((await revoke(third.deviceId)).status).toBe(404);
  expect((await revoke("no-such-device")).status).toBe(404);
  const { list } = await read();
  expect(list.map((one: { revokedAt?: string }) => one.revokedAt)).toEqual([
    undefined,
    expect.any(String),
  ]);
  const trail = await shop.gateway.context.db
    .selectFrom("audit_trail")
    .select(["action", "staff_id"])
    .where("action", "in", ["device.code", "device.revoke"])
    .where("staff_id", "=", shop.staffId)
    .execute();
  expect(trail.map(({ action }) => action).toSorted()).toEqual(["device.code", "device.revoke"]);
  // Neither the code nor a key is stored in readable form.
  expect(JSON.stringify(await read())).not.toContain(code);
});

it("an owner who revokes their own device is signed out by the response", async () => {
  const [{ deviceId }] = (await read()).list;
  await ask(`/devices/${deviceId}`, { method: "DELETE" }).catch(() => undefined);
  expect((await ask("/devices")).status).toBe(403);
});

it("the device page reports the missing port if no port is open for devices", async () => {
  const gateway = await startTestGateway();
  const owner = await openTill(gateway);
  expect((await owner.pos("GET", "/devices")).body).toEqual({ list: [] });
  await gateway.close();
});

it("URLs for devices list the owner's names, the machine's names and its addresses, without loopback", () => {
  const known = {
    names: ["localhost", "shop-pc", "shop-pc.local", "127.0.0.1", "192.168.1.20"],
    allowed: ["till.shop.example"],
  };
  const of = (host: string) => entranceOf({ host, port: 7444 }, known, ["192.168.1.20"]);
  expect(of("0.0.0.0")).toEqual([
    "https://till.shop.example:7444",
    "https://shop-pc.local:7444",
    "https://192.168.1.20:7444",
  ]);
  expect(of("::")).toEqual(of("0.0.0.0"));
  expect(of("10.0.0.9").at(-1)).toBe("https://10.0.0.9:7444");
  expect(of("fd00::9").at(-1)).toBe("https://[fd00::9]:7444");
  expect(of("127.0.0.1")).not.toContain("https://shop-pc.local:7444");
});
