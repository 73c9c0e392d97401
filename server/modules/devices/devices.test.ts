import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGateway, type Gateway } from "../../index.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../../testing/first-day.ts";
import { until } from "../../testing/until.ts";
import { readAuthority } from "../certificates/index.ts";

/** A shop whose till and `/v1` are open to the network by listeners of their own. */
const PIN = "471183";
const OWNER = { accountId: "default", staffId: undefined };
let clock: FakeClock;
let dataDir: string;
let gateway: Gateway;
let url: string;
let tillPort: number;
let apiPort: number;
let staffId: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-devices-"));
  clock = new FakeClock(Date.now());
  const any = { host: "127.0.0.1", port: 0 };
  gateway = await createGateway(
    { ...testConfig(dataDir), apiListen: any, tillListen: any },
    { clock, ...TEST_OVERRIDES, readNames: () => ["localhost", "127.0.0.1"] },
  );
  const listening = await gateway.listen();
  url = listening.url;
  tillPort = Number(new URL(listening.tillUrl ?? "").port);
  apiPort = Number(new URL(listening.apiUrl ?? "").port);
  const setup = { shopName: "Corner Shop", currency: "USD", language: "en", ownerName: "Olga" };
  const made = await fetch(`${url}/pos/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...setup, ownerPin: PIN }),
  });
  staffId = ((await made.json()) as { staff: { staffId: string } }).staff.staffId;
});
afterEach(async () => {
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Asked {
  method?: string;
  cookie?: string;
  form?: string;
  json?: unknown;
  port?: number;
}

/** Asks by TLS, trusting the shop's authority alone. */
async function begin(path: string, { method = "GET", cookie, form, json, port }: Asked = {}) {
  const ca = await readAuthority(dataDir);
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
  const headers = {
    ...(cookie && { cookie }),
    ...(body !== undefined && { "content-type": type }),
  };
  const where = { host: "127.0.0.1", port: port ?? tillPort, path, method, headers, ca };
  return new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...where, agent: false }, resolve)
      .once("error", reject)
      .end(body);
  });
}

async function ask(path: string, asked: Asked = {}) {
  const answer = await begin(path, asked);
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  const cookies = answer.headers["set-cookie"] ?? [];
  return { status: answer.statusCode ?? 0, text, cookies, to: answer.headers.location };
}

/** Lets a device in; its cookie. */
async function enrol(name: string): Promise<string> {
  const { code } = await gateway.context.devices.makeCode(OWNER, name);
  const { status, cookies } = await ask("/enrol", { method: "POST", form: `code=${code}` });
  expect(status).toBe(303);
  return cookies[0]?.split(";", 1)[0] ?? "";
}

async function signIn(device: string, pin = PIN) {
  const json = { staffId, pin };
  return ask("/pos/session", { method: "POST", cookie: device, json });
}

it("a device that was never let in learns nothing: one page asks it for a code", async () => {
  for (const path of ["/", "/display", "/index.html", "/pos/staff", "/pos/session", "/nothing"]) {
    for (const cookie of ["", "__Host-tillgate_key=made-up-but-long-enough-to-be-one"]) {
      const { status, text, to } = await ask(path, { cookie });
      expect([path, [303, 403, 404].includes(status)]).toEqual([path, true]);
      if (status === 303) expect(to).toBe("/enrol");
      expect(text).not.toMatch(/Olga|Corner/);
    }
  }
  const session = await signIn("");
  expect([session.status, session.text]).toEqual([403, expect.stringContaining("not let in")]);
  const { status, text } = await ask("/enrol");
  expect([status, text]).toEqual([200, expect.stringContaining('name="code"')]);
  expect(text).not.toMatch(/Olga|Corner|<script/);
  expect((await ask("/authority.crt")).status).toBe(200);
  // At this machine there is nothing to be let in to.
  expect((await fetch(`${url}/enrol`)).status).toBe(404);
});

it("a code lets one device in, once, and not after ten minutes", async () => {
  const { code } = await gateway.context.devices.makeCode(OWNER, "Till 2");
  expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
  const form = `code=${code.toLowerCase().replace("-", " ")}`;
  const both = [1, 2].map(() => ask("/enrol", { method: "POST", form }));
  const answers = await Promise.all(both);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
  const [cookie = ""] = answers.find(({ status }) => status === 303)?.cookies ?? [];
  expect(cookie).toMatch(/^__Host-.*; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/);
  expect((await ask("/enrol", { method: "POST", form })).status).toBe(404);

  const late = await gateway.context.devices.makeCode(OWNER, "Till 3");
  clock.set(clock.now() + 10 * MINUTE);
  const tooLate = await ask("/enrol", { method: "POST", form: `code=${late.code}` });
  expect(tooLate.status).toBe(404);
  const [device] = await gateway.context.devices.list();
  expect(device).toMatchObject({ name: "Till 2", address: "127.0.0.1", revoked_at: null });
  expect(cookie).not.toContain(device?.key_hash);
});

it("guesses are counted before they are looked at: the right one comes too late", async () => {
  const { code } = await gateway.context.devices.makeCode(OWNER, "Till 2");
  for (let n = 0; n < 10; n++) {
    expect((await ask("/enrol", { method: "POST", form: `code=AAAAA-AAAA${n}` })).status).toBe(404);
  }
  const right = () => ask("/enrol", { method: "POST", form: `code=${code}` });
  expect((await right()).status).toBe(429);
  clock.set(clock.now() + MINUTE);
  expect((await right()).status).toBe(303);
});

it("a session is good at the device where it was begun, and its cookie goes by TLS only", async () => {
  const [one, other] = [await enrol("Till 2"), await enrol("Till 3")];
  const { status, cookies } = await signIn(one);
  expect(status).toBe(200);
  // No cookie tells the device a second time: its tries of PINs go by what it was let in as.
  expect(cookies.map((cookie) => cookie.split("=", 1)[0])).toEqual(["tillgate_session"]);
  expect(cookies[0]).toMatch(/; Secure/);
  const session = cookies[0]?.split(";", 1)[0] ?? "";
  const at = async (device: string) =>
    (await ask("/pos/session", { cookie: `${device}; ${session}` })).status;
  expect([await at(one), await at(other)]).toEqual([200, 401]);
  const here = await fetch(`${url}/pos/session`, { headers: { cookie: session } });
  expect(here.status).toBe(401);
});

it("wrong PINs at one device lock nobody out of another", async () => {
  const [one, other] = [await enrol("Till 2"), await enrol("Till 3")];
  expect((await signIn(other)).status).toBe(200);
  for (let n = 0; n < 5; n++) expect((await signIn(one, "000000")).status).not.toBe(200);
  expect((await signIn(one)).status).not.toBe(200);
  expect((await signIn(other)).status).toBe(200);
});

it("a revoked device is out at once: its sessions, its streams, its key", async () => {
  const device = await enrol("Till 2");
  const session = (await signIn(device)).cookies[0]?.split(";", 1)[0] ?? "";
  const cookie = `${device}; ${session}`;
  const stream = await begin("/pos/events", { cookie });
  expect(stream.statusCode).toBe(200);
  let isOver = false;
  stream.resume().once("close", () => {
    isOver = true;
  });
  const [row] = await gateway.context.devices.list();
  await gateway.context.devices.revoke(OWNER, row?.device_id ?? "");
  expect((await ask("/pos/session", { cookie })).status).toBe(403);
  clock.set(clock.now() + SECOND);
  await until(() => isOver);
  expect((await ask("/", { cookie })).to).toBe("/enrol");
  const { key_hash: _hash, ...left } = (await gateway.context.devices.list())[0] ?? {};
  expect(left).toMatchObject({ name: "Till 2", revoked_at: expect.any(Number) });
});

it("neither /v1 by the tills' port nor the till by that of /v1", async () => {
  const device = await enrol("Till 2");
  for (const path of ["/v1/balance", "/%761/balance", "/v1/openapi.json", "/docs", "/metrics"]) {
    for (const cookie of ["", device]) {
      expect([path, (await ask(path, { cookie })).status]).toEqual([path, 404]);
    }
  }
  for (const path of ["/pos/session", "/%70os/staff", "/enrol", "/authority.crt", "/"]) {
    const { status } = await ask(path, { cookie: device, port: apiPort });
    expect([path, status]).toEqual([path, 404]);
  }
});

it("a connection that was talked down to plain HTTP or an older TLS gets nothing", async () => {
  await expect(fetch(`http://127.0.0.1:${tillPort}/enrol`)).rejects.toThrow(/fetch failed/);
  const old = {
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  } as const;
  const ca = await readAuthority(dataDir);
  const refused = new Promise((_resolve, reject) => {
    connect({ host: "127.0.0.1", port: tillPort, ...(ca && { ca }), ...old }).once("error", reject);
  });
  await expect(refused).rejects.toThrow(/alert protocol version/);
});
