import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { createGateway, type Gateway, StartupError } from "../../../index.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../../../testing/first-day.ts";
import { prepareFirstDay } from "../../../testing/test-gateway.ts";
import { until } from "../../../testing/until.ts";
import { readAuthority } from "./index.ts";

/** Starts at the real time, which TLS clients use. */
let clock: FakeClock;
let dataDir: string;
let gateway: Gateway;
let names: string[];
let apiPort: number;
let url: string;

async function open(config: Partial<ReturnType<typeof testConfig>> = {}): Promise<void> {
  gateway = await createGateway(
    { ...testConfig(dataDir), apiListen: { host: "127.0.0.1", port: 0 }, ...config },
    { clock, ...TEST_OVERRIDES, readNames: () => names },
  );
  const listening = await gateway.listen();
  url = listening.url;
  apiPort = Number(new URL(listening.apiUrl ?? "").port);
}

async function begin(): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-tls-"));
  await prepareFirstDay(dataDir);
  clock = new FakeClock(Date.now());
  names = ["localhost", "shop-pc", "shop-pc.local", "127.0.0.1", "192.168.7.20"];
  await open();
}

afterEach(async () => {
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Connects as a client that trusts only the shop's authority, and returns the served certificate.
 */
async function served(options: ConnectionOptions = {}) {
  const ca = await readAuthority(dataDir);
  return new Promise<X509Certificate>((resolve, reject) => {
    const socket: TLSSocket = connect(
      { port: apiPort, host: "127.0.0.1", ...(ca && { ca }), ...options },
      () => {
        const certificate = new X509Certificate(socket.getPeerCertificate().raw);
        socket.destroy();
        resolve(certificate);
      },
    );
    socket.once("error", reject);
  });
}

async function get(path: string, headers: Record<string, string> = {}) {
  const ca = await readAuthority(dataDir);
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const asked = request(
      { port: apiPort, host: "127.0.0.1", path, headers, ca, agent: false },
      (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          body += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    );
    asked.once("error", reject).end();
  });
}

describe("the shop's own certificate", () => {
  it("covers the machine's names and addresses, and satisfies a client that trusts only the shop's authority", async () => {
    await begin();
    const certificate = await served();
    expect(certificate.subjectAltName?.split(", ").toSorted()).toEqual(
      ["DNS:localhost", "DNS:shop-pc", "DNS:shop-pc.local", "IP Address:127.0.0.1"].concat(
        "IP Address:192.168.7.20",
      ),
    );
    expect(await served({ servername: "shop-pc.local" })).toBeDefined();
    await expect(served({ servername: "bank.example" })).rejects.toThrow(/altnames/);
    const authority = new X509Certificate((await readAuthority(dataDir)) ?? "");
    expect(authority.ca).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });

  it("consists of files that only their owner can read, with encrypted keys", async () => {
    await begin();
    const folder = join(dataDir, "tls");
    expect(readdirSync(folder).toSorted()).toEqual(["authority.json", "server.json"]);
    for (const name of ["authority.json", "server.json"]) {
      const text = readFileSync(join(folder, name), "utf8");
      expect(text).not.toContain("PRIVATE KEY");
      expect(JSON.parse(text).keySealed).toMatch(/^1\./);
      if (process.platform !== "win32") {
        expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
      }
    }
  });

  it("renews after two thirds of its validity and when an address changes, without a restart", async () => {
    await begin();
    const first = await served();
    clock.set(clock.now() + 59 * DAY);
    names = [...names, "192.168.7.21"];
    clock.set(clock.now() + HOUR);
    await until(async () => (await seen()).serialNumber !== first.serialNumber);
    const second = await seen();
    expect(second.subjectAltName).toContain("192.168.7.21");

    clock.set(clock.now() + 59 * DAY);
    await gateway.context.jobs.idle();
    expect((await seen()).serialNumber).toBe(second.serialNumber);
    clock.set(clock.now() + 2 * DAY);
    await until(async () => (await seen()).serialNumber !== second.serialNumber);
    const authority = new X509Certificate((await readAuthority(dataDir)) ?? "");
    expect((await seen()).verify(authority.publicKey)).toBe(true);
  });

  it("stays the same after a restart, and its authority stays the same if the certificate is lost", async () => {
    await begin();
    const before = await served();
    const authority = await readAuthority(dataDir);
    await gateway.close();
    await open();
    expect((await served()).serialNumber).toBe(before.serialNumber);
    await gateway.close();
    rmSync(join(dataDir, "tls", "server.json"));
    await open();
    expect((await served()).serialNumber).not.toBe(before.serialNumber);
    expect(await readAuthority(dataDir)).toBe(authority);
  });

  it("prevents the start with an error if the authority's key cannot be read", async () => {
    await begin();
    await gateway.close();
    writeFileSync(join(dataDir, "tls", "authority.json"), "{}");
    gateway = await createGateway(
      { ...testConfig(dataDir), apiListen: { host: "127.0.0.1", port: 0 } },
      { clock, ...TEST_OVERRIDES },
    );
    await expect(gateway.listen()).rejects.toThrow(/certificate authority cannot be read/);
    await expect(gateway.listen()).rejects.toBeInstanceOf(StartupError);
  });
});

function seen(): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: apiPort, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe("the network port of /v1", () => {
  it("serves /v1 to clients with a key, and does not serve the till", async () => {
    await begin();
    const { key } = await gateway.context.keys.create(
      { accountId: "default", environment: "test" },
      "network",
    );
    const headers = { authorization: `Bearer ${key}` };
    expect((await get("/v1/balance", headers)).status).toBe(200);
    expect((await get("/v1/balance")).status).toBe(401);
    for (const path of [
      ["/pos/session", "/pos/setup", "/pos/staff", "/%70os/session", "//pos/session"],
      ["/", "/display", "/index.html", "/healthz", "/readyz", "/metrics", "/V1/balance"],
    ].flat()) {
      expect([path, (await get(path, headers)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it("refuses plain HTTP, and TLS older than 1.2", async () => {
    await begin();
    expect((await served({ maxVersion: "TLSv1.2" })).ca).toBe(false);
    const old = {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    } as const;
    await expect(served(old)).rejects.toThrow(/alert protocol version/);
    await expect(fetch(`http://127.0.0.1:${apiPort}/v1/balance`)).rejects.toThrow(/fetch failed/);
    expect((await get("/v1/balance")).status).toBe(401);
  });
});

it("plain HTTP for other machines requires an explicit option", async () => {
  await begin();
  await gateway.close();
  const config = { ...testConfig(dataDir), host: "0.0.0.0" };
  await expect(createGateway(config, { clock, ...TEST_OVERRIDES })).rejects.toThrow(
    /--insecure-http/,
  );
  gateway = await createGateway({ ...config, insecureHttp: true }, { clock, ...TEST_OVERRIDES });
  const { port } = await gateway.listen();
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});
