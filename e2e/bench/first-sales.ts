/** A shop with one sale of each outcome, from which databases of many sales are generated. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { OWN_PIN_HEADER } from "../../server/contract/pos/operation.ts";
import { createGateway } from "../../server/index.ts";
import { keepGivenPins } from "../../server/testing/direct-writes.ts";

const ROOT = resolve(import.meta.dirname, "../..");
export const OWNER_PIN = "471183";
export const CLERK_PIN = "582294";

export interface FirstSales {
  delivered: string;
  failed: string;
  voucher: string;
}

export function configOf(dataDir: string) {
  return {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(dataDir, "no-pages"),
    resourcesDir: join(ROOT, "resources"),
    logFile: undefined,
    logLevel: "silent" as const,
    allowedHosts: [],
  };
}

/** Returns a function that calls `/pos` with the session of its last sign-in. */
export function createCaller(url: string) {
  let cookie = "";
  return async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/pos${path}`, {
      method,
      headers: {
        cookie,
        [OWN_PIN_HEADER]: OWNER_PIN,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const [given] = response.headers.getSetCookie();
    cookie = given?.split(";", 1)[0] ?? cookie;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
}

export async function sellOne(
  call: ReturnType<typeof createCaller>,
  line: { productType: "TOPUP" | "VOUCHER"; offerId: string; recipientPhoneNumber?: string },
): Promise<string> {
  const { price } = await call<{ price: number }>("POST", "/quotes", { offerId: line.offerId });
  const transactionId = randomUUID();
  await call("POST", "/sales", {
    saleId: randomUUID(),
    lines: [{ ...line, transactionId, price }],
    tenders: [{ kind: "CASH", tendered: price }],
  });
  return transactionId;
}

export async function makeFirstSales(dataDir: string): Promise<FirstSales> {
  const receiver = createServer((_request, response) => void response.end("{}"));
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  const gateway = await createGateway(configOf(dataDir), {
    automaticBackups: false,
    auditAtStart: false,
    pinCost: 4,
  });
  try {
    const { url } = await gateway.listen();
    const call = createCaller(url);
    await call("POST", "/setup", {
      shopName: "Many years",
      currency: "USD",
      language: "en",
      ownerName: "Olga",
      ownerPin: OWNER_PIN,
    });
    await call("POST", "/staff", { name: "Carla", pin: CLERK_PIN, role: "clerk" });
    await keepGivenPins(gateway.context.db);
    const hook = { environment: "test", url: `http://127.0.0.1:${port}/`, allowPrivate: true };
    for (const kind of ["TOPUP", "VOUCHER"]) await call("POST", "/webhooks", { ...hook, kind });
    const shiftId = randomUUID();
    await call("POST", "/shifts", { shiftId, float: 0 });
    const offerId = "TIGO_GT_TOPUP_25";
    const topup = { productType: "TOPUP" as const, offerId };
    const sold = {
      delivered: await sellOne(call, { ...topup, recipientPhoneNumber: "+50251234567" }),
      failed: await sellOne(call, { ...topup, recipientPhoneNumber: "+50251239001" }),
      voucher: await sellOne(call, { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" }),
    };
    const { db, jobs, transactor, recharges } = gateway.context;
    const scope = { accountId: "default", environment: "test" } as const;
    await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, scope, 1e12));
    for (;;) {
      await wait(100);
      const open = await db
        .selectFrom("webhook_deliveries")
        .select("sequence")
        .where("state", "=", "PENDING")
        .execute();
      const made = await db.selectFrom("webhook_deliveries").select("sequence").execute();
      if (open.length === 0 && made.length === 3) break;
    }
    await jobs.idle();
    await call("POST", `/shifts/${shiftId}/close`, { counted: 0 });
    return sold;
  } finally {
    await gateway.close();
    receiver.close();
  }
}
