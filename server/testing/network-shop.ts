import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, type Gateway } from "../index.ts";
import { readAuthority } from "../modules/shop/certificates/index.ts";
import { FakeClock } from "./fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "./first-day.ts";
import { dropTestDatabase } from "./postgres-database.ts";
import { prepareFirstDay } from "./test-gateway.ts";

const NETWORK_PIN = "471183";
export const NETWORK_OWNER = { accountId: "default", staffId: undefined };
export const PAGE_FILE = "/assets/counter-1a2b3c4d.js";

export interface Asked {
  method?: string;
  cookie?: string;
  form?: string;
  json?: unknown;
  port?: number;
  headers?: Record<string, string>;
  /** Source address on this machine; default is 127.0.0.1. */
  from?: string;
}

interface Answer {
  status: number;
  text: string;
  cookies: string[];
  to: string | undefined;
  headers: IncomingMessage["headers"];
}

/** A shop with separate network listeners for the till and `/v1`. */
export interface NetworkShop {
  readonly clock: FakeClock;
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly gateway: Gateway;
  /** URL for requests from this machine, without TLS. */
  readonly url: string;
  readonly tillPort: number;
  readonly apiPort: number;
  readonly staffId: string;
  /**
   * Sends a request with TLS to the till's port, trusting only the shop's certificate authority.
   */
  begin(path: string, asked?: Asked): Promise<IncomingMessage>;
  ask(path: string, asked?: Asked): Promise<Answer>;
  enrol(name: string): Promise<string>;
  signIn(device: string, pin?: string): Promise<Answer>;
  close(): Promise<void>;
}

export async function openNetworkShop(trustedProxies: string[] = []): Promise<NetworkShop> {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-network-"));
  const database = await prepareFirstDay(dataDir);
  const rendererDir = join(dataDir, "pages");
  mkdirSync(join(rendererDir, "assets"), { recursive: true });
  writeFileSync(join(rendererDir, "index.html"), "<!doctype html><title>the till</title>");
  writeFileSync(join(rendererDir, PAGE_FILE), "const page = 1;");
  const clock = new FakeClock(Date.now());
  const any = { host: "127.0.0.1", port: 0 };
  const gateway = await createGateway(
    {
      ...testConfig(dataDir, database),
      rendererDir,
      trustedProxies,
      apiListen: any,
      tillListen: any,
    },
    { clock, ...TEST_OVERRIDES, readNames: () => ["localhost", "127.0.0.1"] },
  );
  const listening = await gateway.listen();
  const { url } = listening;
  const tillPort = Number(new URL(listening.tillUrl ?? "").port);
  const apiPort = Number(new URL(listening.apiUrl ?? "").port);
  const staffId = await setUp(url);

  async function begin(path: string, asked: Asked = {}): Promise<IncomingMessage> {
    const { method = "GET", cookie, form, json, port, from } = asked;
    const ca = await readAuthority(dataDir);
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
    const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
    const headers = {
      ...(cookie && { cookie }),
      ...(body !== undefined && { "content-type": type }),
      ...asked.headers,
    };
    const where = {
      host: "127.0.0.1",
      port: port ?? tillPort,
      path,
      method,
      headers,
      ca,
      // Checks the certificate against this machine's name, independent of the Host header.
      servername: "localhost",
      ...(from !== undefined && { localAddress: from }),
    };
    return new Promise<IncomingMessage>((resolve, reject) => {
      request({ ...where, agent: false }, resolve)
        .once("error", reject)
        .end(body);
    });
  }

  async function ask(path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await begin(path, asked);
    let text = "";
    for await (const part of answer.setEncoding("utf8")) text += part;
    const { headers, statusCode: status = 0 } = answer;
    return { status, text, cookies: headers["set-cookie"] ?? [], to: headers.location, headers };
  }

  return {
    clock,
    dataDir,
    database,
    gateway,
    url,
    tillPort,
    apiPort,
    staffId,
    begin,
    ask,
    async enrol(name) {
      const { code } = await gateway.context.devices.makeCode(NETWORK_OWNER, name);
      const { status, cookies } = await ask("/enrol", { method: "POST", form: `code=${code}` });
      if (status !== 303) throw new Error(`a right code was answered ${status}`);
      return cookies[0]?.split(";", 1)[0] ?? "";
    },
    signIn(device, pin = NETWORK_PIN) {
      return ask("/pos/session", { method: "POST", cookie: device, json: { staffId, pin } });
    },
    async close() {
      await gateway.close();
      if (database !== undefined) await dropTestDatabase(database);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function setUp(url: string): Promise<string> {
  const setup = { shopName: "Corner Shop", currency: "USD", language: "en", ownerName: "Olga" };
  const made = await fetch(`${url}/pos/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...setup, ownerPin: NETWORK_PIN }),
  });
  return ((await made.json()) as { staff: { staffId: string } }).staff.staffId;
}
