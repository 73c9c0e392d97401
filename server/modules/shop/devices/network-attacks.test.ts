import { request } from "node:https";
import { connect as connectPlain } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import {
  type Asked,
  type NetworkShop,
  NETWORK_OWNER as OWNER,
  openNetworkShop,
  PAGE_FILE,
} from "../../../testing/network-shop.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { until } from "../../../testing/until.ts";
import { readAuthority } from "../certificates/index.ts";

/** The shop under attack. The attacker knows its addresses and this program. */
let shop: NetworkShop;
let apiKey: string;
beforeAll(async () => {
  shop = await openNetworkShop();
  const { keys } = shop.gateway.context;
  const author = { accountId: "default", environment: "test" } as const;
  apiKey = (await keys.create(author, "network")).key;
});
beforeEach(() => {
  // Resets the limit of guesses for each test.
  shop.clock.set(shop.clock.now() + 2 * MINUTE);
});
afterAll(() => shop.close());

const NEVER_LET_IN = "__Host-tillgate_key=made-up-but-long-enough-to-be-one-of-them";

async function letIn(name: string) {
  const device = await shop.enrol(name);
  const session = (await shop.signIn(device)).cookies[0]?.split(";", 1)[0] ?? "";
  const list = await shop.gateway.context.devices.list();
  const deviceId = list.find((one) => one.name === name)?.device_id ?? "";
  return { device, session, cookie: `${device}; ${session}`, deviceId };
}

async function guess(code: string, more: Asked = {}): Promise<number> {
  return (await shop.ask("/enrol", { method: "POST", form: `code=${code}`, ...more })).status;
}

it("an unenrolled client is refused on every path with every method", async () => {
  const paths = [
    ["/", "/display", "/office", "/office/sales", "/index.html", PAGE_FILE, "/assets/"],
    ["/favicon.ico", "/manifest.json"],
    ["/pos/setup", "/pos/staff", "/pos/session", "/pos/offers", "/pos/brand-faces", "/pos/events"],
    ["/pos/devices", "/pos/network", "/pos/displays/ABCDEFGH/views", "/%70os/staff", "/pos//staff"],
    ["/v1/balance", "/v1/openapi.json", "/docs", "/docs/json", "/hooks/upstream/x", "/metrics"],
    [
      "/readyz",
      "/healthz",
      "/..%2fsecrets.key",
      "/assets/../../secrets.key",
      "/enrol/",
      "/nothing",
    ],
  ].flat();
  const ways: Asked[] = [
    {},
    { cookie: NEVER_LET_IN },
    { headers: { authorization: `Bearer ${apiKey}` } },
    { headers: { "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1" } },
    { headers: { upgrade: "websocket", connection: "Upgrade" } },
    { method: "HEAD" },
    { method: "POST", json: { staffId: shop.staffId, pin: "471183" } },
    { method: "PUT", json: {} },
    { method: "DELETE" },
    { method: "OPTIONS" },
  ];
  const answered = new Set<number>();
  for (const path of paths) {
    for (const asked of ways) {
      const { status, text, to, cookies } = await shop.ask(path, asked);
      answered.add(status);
      if (status === 303) expect(to).toBe("/enrol");
      const isForm = status === 200 && path === "/enrol/" && /^$|name="code"/.test(text);
      const isShut = [303, 403, 404, 405].includes(status) || isForm;
      expect([path, asked, status, isShut]).toEqual([path, asked, status, true]);
      expect([path, text]).toEqual([path, expect.not.stringMatching(/Olga|Corner|page = 1|"v1"/)]);
      expect(cookies).toEqual([]);
    }
  }
  expect([...answered].toSorted((a, b) => a - b)).toEqual(expect.arrayContaining([303, 403, 404]));
  const authority = (await readAuthority(shop.dataDir)) ?? "";
  expect(Buffer.from(authority, "base64").toString("latin1")).not.toMatch(/Olga|Corner/);
});

it("the cookies of a stolen device fail after its revocation, on open and on new connections", async () => {
  const stolen = await letIn("Stolen");
  const { cookie, deviceId } = stolen;
  const read = () => shop.ask("/pos/session", { cookie });
  expect((await read()).status).toBe(200);
  const streams = await Promise.all(
    ["/pos/events", "/pos/events"].map((path) => shop.begin(path, { cookie })),
  );
  let open = streams.length;
  for (const stream of streams) stream.resume().once("close", () => open--);
  await shop.gateway.context.devices.revoke(OWNER, deviceId);
  // Connections end with the response to the revocation, before the clock advances.
  await until(() => open === 0);
  expect((await read()).status).toBe(403);
  expect((await shop.signIn(stolen.device)).status).toBe(403);
  for (const path of ["/", PAGE_FILE]) {
    expect((await shop.ask(path, { cookie })).to).toBe("/enrol");
  }
  const other = await shop.enrol("Another");
  const mixed = await shop.ask("/pos/session", { cookie: `${other}; ${stolen.session}` });
  expect(mixed.status).toBe(401);
  const sessions = await shop.gateway.context.db
    .selectFrom("staff_sessions")
    .select("device_id")
    .where("device_id", "=", deviceId)
    .execute();
  expect(sessions).toEqual([]);
});

it("the running gateway refuses a device that the command line revoked", async () => {
  const { cookie, deviceId } = await letIn("Lost");
  expect((await shop.ask("/pos/session", { cookie })).status).toBe(200);
  const stream = await shop.begin("/pos/events", { cookie });
  let isOver = false;
  stream.resume().once("close", () => {
    isOver = true;
  });
  const { exitCode } = await typeCommand(shop, ["devices", "revoke", deviceId]);
  expect(exitCode).toBe(0);
  expect((await shop.ask("/pos/session", { cookie })).status).toBe(403);
  await until(() => {
    shop.clock.set(shop.clock.now() + SECOND);
    return isOver;
  });
});

it("a code enrols only one of several simultaneous devices, and no later device", async () => {
  const { code } = await shop.gateway.context.devices.makeCode(OWNER, "Raced");
  const racers = Array.from({ length: 9 }, () => guess(code));
  const statuses = (await Promise.all(racers)).toSorted((a, b) => a - b);
  expect(statuses).toEqual([303, 404, 404, 404, 404, 404, 404, 404, 404]);
  shop.clock.set(shop.clock.now() + MINUTE);
  expect(await guess(code)).toBe(404);
  const named = (await shop.gateway.context.devices.list()).filter(({ name }) => name === "Raced");
  expect(named).toHaveLength(1);
});

it("guesses are limited per source and in total, regardless of forwarding headers", async () => {
  const { code } = await shop.gateway.context.devices.makeCode(OWNER, "Guessed");
  const wrong = "AAAAAAAAAA";
  for (let n = 0; n < 10; n++) {
    expect(await guess(wrong, { headers: { "x-forwarded-for": `10.0.0.${n}` } })).toBe(404);
  }
  expect(await guess(code, { headers: { "x-forwarded-for": "10.0.0.99" } })).toBe(429);
  for (let source = 2; source <= 20; source++) {
    const from = `127.0.0.${source}`;
    const guesses = Array.from({ length: 10 }, () => guess(wrong, { from }));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([404]));
  }
  expect(await guess(code, { from: "127.0.0.99" })).toBe(429);
  shop.clock.set(shop.clock.now() + MINUTE);
  // The gateway refuses a code in the URL's query, which logs contain.
  const inAddress = await shop.ask(`/enrol?code=${code}`, { method: "POST", form: "code=" });
  expect(inAddress.status).toBe(404);
  expect(await guess(code)).toBe(303);
});

it("the gateway refuses plain HTTP, old TLS and ciphers without forward secrecy", async () => {
  const { cookie } = await letIn("Downgraded");
  const plain = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connectPlain(shop.tillPort, "127.0.0.1", () => {
      socket.write(`GET /pos/session HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`);
    });
    socket.setEncoding("latin1").on("data", (part) => {
      text += String(part);
    });
    socket.once("error", () => undefined).once("close", () => resolve(text));
  });
  expect(plain).not.toMatch(/HTTP|Olga/);
  const ca = (await readAuthority(shop.dataDir)) ?? "";
  const talks = (port: number, more: ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, ca, ...more }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.once("error", ({ message }) => resolve(message));
    });
  const weak = "DEFAULT@SECLEVEL=0";
  for (const port of [shop.tillPort, shop.apiPort]) {
    expect(await talks(port, {})).toMatch(/^TLSv1\.3/);
    expect(await talks(port, { maxVersion: "TLSv1.2" })).toMatch(/^TLSv1\.2 ECDHE-/);
    for (const old of ["TLSv1", "TLSv1.1"] as const) {
      const more = { minVersion: old, maxVersion: old, ciphers: weak } as const;
      expect(await talks(port, more)).toMatch(/alert protocol version/);
    }
    for (const ciphers of ["AES128-SHA", "AES256-GCM-SHA384", "aNULL", "PSK"]) {
      const more = { maxVersion: "TLSv1.2", ciphers: `${ciphers}:@SECLEVEL=0` } as const;
      expect([ciphers, await talks(port, more)]).toEqual([
        ciphers,
        expect.stringMatching(/fail|no cipher/),
      ]);
    }
    // A client that does not trust the shop's authority refuses the gateway's certificate.
    expect(await talks(port, { ca: [] })).toMatch(/unable to verify|self-signed/);
  }
});

it("only cookies of the network ports require TLS", async () => {
  const { code } = await shop.gateway.context.devices.makeCode(OWNER, "Cookies");
  const enrolled = await shop.ask("/enrol", { method: "POST", form: `code=${code}` });
  const device = enrolled.cookies[0]?.split(";", 1)[0] ?? "";
  const signedIn = await shop.signIn(device);
  const opened = await shop.ask("/", { cookie: device });
  const cookies = [enrolled, signedIn, opened].flatMap((answer) => answer.cookies);
  expect(cookies).toHaveLength(3);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; SameSite=Strict/);
  }
  // Only the port for tills reads the device key; this machine's own port ignores it.
  const here = await fetch(`${shop.url}/pos/session`, {
    headers: { cookie: `${device}; ${signedIn.cookies[0]?.split(";", 1)[0]}` },
  });
  expect(here.status).toBe(401);
});

it("the till's port and the /v1 port do not serve each other's routes, even with valid keys", async () => {
  const { cookie } = await letIn("Both keys");
  const headers = { authorization: `Bearer ${apiKey}` };
  const of = async (port: number, path: string) =>
    (await shop.ask(path, { port, cookie, headers })).status;
  for (const path of ["/v1/balance", "/v1/topups/offers", "/v1/openapi.json", "/%761/balance"]) {
    expect([path, await of(shop.tillPort, path)]).toEqual([path, 404]);
  }
  for (const path of ["/docs", "/docs/", "/hooks/upstream/x", "/metrics", "/readyz", "/healthz"]) {
    expect([path, await of(shop.tillPort, path)]).toEqual([path, 404]);
  }
  const ofTill = ["/", "/display", "/office", PAGE_FILE, "/enrol", "/authority.crt", "/pos/setup"];
  for (const path of [...ofTill, "/pos/session", "/pos/devices", "/%70os/staff"]) {
    expect([path, await of(shop.apiPort, path)]).toEqual([path, 404]);
  }
  expect(await of(shop.apiPort, "/v1/balance")).toBe(200);
  expect(await of(shop.tillPort, "/pos/session")).toBe(200);
});

it("a device's cookies do not help requests with a foreign host or origin, or from a plain HTTP page", async () => {
  const { cookie } = await letIn("Lured");
  const own = `127.0.0.1:${shop.tillPort}`;
  const as = async (headers: Record<string, string>, path = "/pos/session") =>
    (await shop.ask(path, { cookie, headers })).status;
  expect(await as({ host: own })).toBe(200);
  expect(await as({ host: own, origin: `https://${own}` })).toBe(200);
  for (const path of ["/pos/session", "/", "/enrol", "/authority.crt"]) {
    for (const host of ["evil.example", "127.0.0.1@evil.example", `${own}.evil.example`]) {
      expect([path, host, await as({ host }, path)]).toEqual([path, host, 403]);
    }
  }
  const origins = ["https://evil.example", `http://${own}`, "null", `https://127.0.0.1`];
  for (const origin of origins) {
    expect([origin, await as({ host: own, origin })]).toEqual([origin, 403]);
  }
  const posted = await guess("AAAAAAAAAA", { headers: { origin: "https://evil.example" } });
  expect(posted).toBe(403);
});

it("the gateway refuses requests of unenrolled devices without reading the bodies", async () => {
  const ca = await readAuthority(shop.dataDir);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: shop.tillPort,
        ca,
        agent: false,
        method: "POST",
        path: "/pos/sales",
        headers: { "content-type": "application/json", "content-length": 60_000 },
      },
      (answer) => {
        resolve(answer.resume().statusCode);
        sent.destroy();
      },
    );
    sent.once("error", reject).write("{");
  });
  expect(status).toBe(403);
  expect(await guess("A".repeat(2_000))).toBe(413);
});

it("housekeeping deletes expired codes, and devices that were revoked long ago", async () => {
  const { devices, housekeeping, db } = shop.gateway.context;
  const { deviceId } = await letIn("Long gone");
  const { deviceId: kept } = await letIn("Still here");
  await devices.revoke(OWNER, deviceId);
  await devices.makeCode(OWNER, "Never used");
  const codes = async () => (await db.selectFrom("device_codes").select("name").execute()).length;
  const ids = async () => (await devices.list()).map((one) => one.device_id);
  expect(await codes()).toBe(1);
  shop.clock.set(shop.clock.now() + 90 * DAY - 1);
  await housekeeping.clearAway();
  expect(await codes()).toBe(0);
  expect(await ids()).toContain(deviceId);
  shop.clock.set(shop.clock.now() + 2);
  await housekeeping.clearAway();
  expect(await ids()).not.toContain(deviceId);
  expect(await ids()).toContain(kept);
});
