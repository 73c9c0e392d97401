import { createHash } from "node:crypto";
import { Socket } from "node:net";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import {
  type NetworkShop,
  NETWORK_OWNER as OWNER,
  openNetworkShop,
} from "../../../testing/network-shop.ts";
import { until } from "../../../testing/until.ts";
import { readAuthority } from "../certificates/index.ts";
import { DeviceService } from "./device-service.ts";

let shop: NetworkShop;
beforeEach(async () => {
  shop = await openNetworkShop();
});
afterEach(() => shop.close());

it("an unenrolled device receives only the page with the form for a code", async () => {
  for (const path of ["/", "/display", "/index.html", "/pos/staff", "/pos/session", "/nothing"]) {
    for (const cookie of ["", "__Host-tillgate_key=made-up-but-long-enough-to-be-one"]) {
      const { status, text, to } = await shop.ask(path, { cookie });
      expect([path, [303, 403, 404].includes(status)]).toEqual([path, true]);
      if (status === 303) expect(to).toBe("/enrol");
      expect(text).not.toMatch(/Olga|Corner/);
    }
  }
  const session = await shop.signIn("");
  expect([session.status, session.text]).toEqual([403, expect.stringContaining("not enrolled")]);
  const { status, text, headers } = await shop.ask("/enrol");
  expect([status, text]).toEqual([200, expect.stringContaining('name="code"')]);
  expect(text).not.toMatch(/Olga|Corner| src=/);
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/g)].map(([, script = ""]) => script);
  const hashes = scripts.map((script) => createHash("sha256").update(script).digest("base64"));
  expect(hashes).toHaveLength(1);
  const policy = String(headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'sha256-${hashes[0]}';`);
  // With "no-referrer", browsers send the form with "Origin: null", which the gateway refuses.
  expect(headers["referrer-policy"]).toBe("same-origin");
  expect((await shop.ask("/authority.crt")).status).toBe(200);
  // This machine's own port has no enrolment page.
  expect((await fetch(`${shop.url}/enrol`)).status).toBe(404);
});

it("the TLS ports tell browsers to require TLS; this machine's own port does not", async () => {
  const { headers } = await shop.ask("/enrol");
  expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  const api = await shop.ask("/v1/balance", { port: shop.apiPort });
  expect(api.headers["strict-transport-security"]).toBe("max-age=31536000");
  const headersHere = { host: `localhost:${shop.tillPort}` };
  const here = await shop.ask("/enrol", { headers: headersHere });
  expect(here.headers["strict-transport-security"]).toBeUndefined();
  const machine = await fetch(`${shop.url}/pos/status`);
  expect(machine.headers.has("strict-transport-security")).toBe(false);
});

it("a code enrols one device within ten minutes, and is invalid after that", async () => {
  const { code } = await shop.gateway.context.devices.makeCode(OWNER, "Till 2");
  expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
  const form = `code=${code.toLowerCase().replace("-", " ")}`;
  const both = [1, 2].map(() => shop.ask("/enrol", { method: "POST", form }));
  const answers = await Promise.all(both);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
  const [cookie = ""] = answers.find(({ status }) => status === 303)?.cookies ?? [];
  expect(cookie).toMatch(/^__Host-.*; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/);
  expect((await shop.ask("/enrol", { method: "POST", form })).status).toBe(404);

  const late = await shop.gateway.context.devices.makeCode(OWNER, "Till 3");
  shop.clock.set(shop.clock.now() + 10 * MINUTE);
  const tooLate = await shop.ask("/enrol", { method: "POST", form: `code=${late.code}` });
  expect(tooLate.status).toBe(404);
  const [device] = await shop.gateway.context.devices.list();
  expect(device).toMatchObject({ name: "Till 2", address: "127.0.0.1", revoked_at: null });
  expect(cookie).not.toContain(device?.key_hash);
});

it("a right code fails after too many guesses, because guesses are counted before they are checked", async () => {
  const { code } = await shop.gateway.context.devices.makeCode(OWNER, "Till 2");
  for (let n = 0; n < 10; n++) {
    expect((await shop.ask("/enrol", { method: "POST", form: `code=AAAAA-AAAA${n}` })).status).toBe(
      404,
    );
  }
  const right = () => shop.ask("/enrol", { method: "POST", form: `code=${code}` });
  expect((await right()).status).toBe(429);
  shop.clock.set(shop.clock.now() + MINUTE);
  expect((await right()).status).toBe(303);
});

it("a session is valid only on the device that opened it, and its cookie requires TLS", async () => {
  const [one, other] = [await shop.enrol("Till 2"), await shop.enrol("Till 3")];
  const { status, cookies } = await shop.signIn(one);
  expect(status).toBe(200);
  // PIN attempts are counted by the enrolment, so that no second cookie is needed.
  expect(cookies.map((cookie) => cookie.split("=", 1)[0])).toEqual(["tillgate_session"]);
  expect(cookies[0]).toMatch(/; Secure/);
  const session = cookies[0]?.split(";", 1)[0] ?? "";
  const at = async (device: string) =>
    (await shop.ask("/pos/session", { cookie: `${device}; ${session}` })).status;
  expect([await at(one), await at(other)]).toEqual([200, 401]);
  const here = await fetch(`${shop.url}/pos/session`, { headers: { cookie: session } });
  expect(here.status).toBe(401);
});

it("wrong PINs on a device do not lock the person out of other devices", async () => {
  const [one, other] = [await shop.enrol("Till 2"), await shop.enrol("Till 3")];
  expect((await shop.signIn(other)).status).toBe(200);
  for (let n = 0; n < 5; n++) expect((await shop.signIn(one, "000000")).status).not.toBe(200);
  expect((await shop.signIn(one)).status).not.toBe(200);
  expect((await shop.signIn(other)).status).toBe(200);
});

it("a revoked device loses its sessions, streams and key at once", async () => {
  const device = await shop.enrol("Till 2");
  const session = (await shop.signIn(device)).cookies[0]?.split(";", 1)[0] ?? "";
  const cookie = `${device}; ${session}`;
  const stream = await shop.begin("/pos/events", { cookie });
  expect(stream.statusCode).toBe(200);
  let isOver = false;
  stream.resume().once("close", () => {
    isOver = true;
  });
  const [row] = await shop.gateway.context.devices.list();
  await shop.gateway.context.devices.revoke(OWNER, row?.device_id ?? "");
  expect((await shop.ask("/pos/session", { cookie })).status).toBe(403);
  shop.clock.set(shop.clock.now() + SECOND);
  await until(() => isOver);
  expect((await shop.ask("/", { cookie })).to).toBe("/enrol");
  const { key_hash: _hash, ...left } = (await shop.gateway.context.devices.list())[0] ?? {};
  expect(left).toMatchObject({ name: "Till 2", revoked_at: expect.any(Number) });
});

it("a connection that was accepted during the revocation of its device is ended", async () => {
  const [, key = ""] = (await shop.enrol("Till 2")).split("=");
  const { context } = shop.gateway;
  const [device] = await context.devices.list();
  const isRead = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  let reads = 0;
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1;
      if (reads === 1) {
        isRead.resolve();
        await mayGoOn.promise;
      }
      return result;
    },
  });
  const devices = new DeviceService({ ...context, db });
  const [early, late] = [new Socket(), new Socket()];
  const admitted = devices.admit(key, "127.0.0.1", late);
  await isRead.promise;
  await devices.admit(key, "127.0.0.1", early);
  await devices.revoke(OWNER, device?.device_id ?? "");
  expect(early.destroyed).toBe(true);
  shop.clock.set(shop.clock.now() + SECOND);
  await until(() => reads === 3);
  mayGoOn.resolve();
  await admitted;
  shop.clock.set(shop.clock.now() + SECOND);
  await until(() => late.destroyed);
  devices.stop();
});

it("a device's row is written only every five minutes even if its address changes at each request", async () => {
  const [, key = ""] = (await shop.enrol("Till 2")).split("=");
  const { context } = shop.gateway;
  const commits: number[] = [];
  context.transactor.onCommit(() => commits.push(shop.clock.now()));
  const admit = (address: string) => context.devices.admit(key, address, new Socket());
  const askOften = async () => {
    for (let n = 0; n < 5; n++) for (const from of ["10.0.0.7", "fd00::7"]) await admit(from);
  };
  await askOften();
  expect(commits).toEqual([]);
  shop.clock.set(shop.clock.now() + 5 * MINUTE);
  await Promise.all(["10.0.0.8", "fd00::8", "10.0.0.8"].map(admit));
  await askOften();
  expect(commits).toEqual([shop.clock.now()]);
  const [device] = await context.devices.list();
  expect(device).toMatchObject({ seen_at: shop.clock.now(), address: "10.0.0.8" });
});

it("the till's port does not serve /v1, and the /v1 port does not serve the till", async () => {
  const device = await shop.enrol("Till 2");
  for (const path of ["/v1/balance", "/%761/balance", "/v1/openapi.json", "/docs", "/metrics"]) {
    for (const cookie of ["", device]) {
      expect([path, (await shop.ask(path, { cookie })).status]).toEqual([path, 404]);
    }
  }
  for (const path of ["/pos/session", "/%70os/staff", "/enrol", "/authority.crt", "/"]) {
    const { status } = await shop.ask(path, { cookie: device, port: shop.apiPort });
    expect([path, status]).toEqual([path, 404]);
  }
});

it("a connection with plain HTTP or an older TLS gets no response", async () => {
  await expect(fetch(`http://127.0.0.1:${shop.tillPort}/enrol`)).rejects.toThrow(/fetch failed/);
  const old = {
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  } as const;
  const ca = await readAuthority(shop.dataDir);
  const refused = new Promise((_resolve, reject) => {
    connect({ host: "127.0.0.1", port: shop.tillPort, ...(ca && { ca }), ...old }).once(
      "error",
      reject,
    );
  });
  await expect(refused).rejects.toThrow(/alert protocol version/);
});
