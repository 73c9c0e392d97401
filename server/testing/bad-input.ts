import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Environment } from "../contract/common.ts";
import { digestDatabase } from "./database-digest.ts";
import { type Answer, startTestGateway, type TestGateway } from "./test-gateway.ts";

export const FIXED = {
  offerId: "TIGO_GT_TOPUP_25",
  transactionId: "new",
  recipientPhoneNumber: "+50251234567",
};
/** A price of 5.00 to 100.00 USD in steps of 0.50. */
export const RANGE = { ...FIXED, offerId: "DU_AE_TOPUP_RANGE" };
export const DISABLED = { ...FIXED, offerId: "MOVISTAR_SV_TOPUP_20" };

export const NOT_AUTHORIZED = { status: 401, errorCode: "NOT_AUTHORIZED", body: FIXED };
export const INVALID = { status: 400, errorCode: "INVALID_REQUEST" };

export interface Case {
  name: string;
  method?: string;
  path?: string;
  /** Text and bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  environment?: Environment;
  status: number;
  errorCode: string;
  /** The refusal must name exactly these fields. */
  fields?: string[];
  message?: RegExp;
  allow?: string;
}

/**
 * Starts a gateway for tests of refused requests. A refusal writes no row, moves no money and sends
 * nothing (rules#purchase-accepted).
 */
export function startBadInput() {
  let till: TestGateway;
  const keys = { revoked: "", elsewhere: "", inside: "", live: "" };

  beforeAll(async () => {
    till = await startTestGateway();
    const { keys: service } = till.gateway.context;
    const test = { accountId: "default", environment: "test" } as const;
    const revoked = await service.create(test, "revoked");
    await service.revoke({ accountId: "default" }, revoked.keyId);
    keys.revoked = revoked.key;
    keys.elsewhere = (
      await service.create(test, "elsewhere", { allowedAddresses: ["10.1.2.0/24", "::1"] })
    ).key;
    keys.inside = (await service.create(test, "inside", { allowedAddresses: ["127.0.0.0/8"] })).key;
    keys.live = till.key("live");
    const bought = await till.v1("POST", "/topups/purchases", { ...FIXED, transactionId: "used" });
    expect(bought.status).toBe(200);
    await till.advance(1_000);
    // Causes the gateway's hourly audit entry about an unknown key before the first comparison.
    await till.call("GET", "/v1/balance", { headers: { authorization: "Bearer test_unknown" } });
    await till.settle();
  });
  afterAll(async () => {
    await till.expectCleanBooks();
    await till.close();
  });

  /** Sends raw bytes, because `fetch` would correct some of these requests. */
  function send(c: Case): Promise<Answer> {
    const { host, port, hostname } = new URL(till.url);
    const { body } = c;
    const text = typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body);
    const headers: Record<string, string> = {
      host,
      authorization: `Bearer ${till.key(c.environment ?? "test")}`,
      ...(text !== undefined && {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
      }),
      ...c.headers,
    };
    for (const [name, value] of Object.entries(headers)) if (value === "") delete headers[name];
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          hostname,
          port,
          method: c.method ?? (text === undefined ? "GET" : "POST"),
          path: c.path ?? "/v1/topups/purchases",
          headers,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const answered = Buffer.concat(chunks).toString("utf8");
            const headers = new Headers(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            );
            resolve({ status: response.statusCode ?? 0, headers, body: parse(answered) });
          });
        },
      );
      sent.on("error", reject);
      sent.end(text);
    });
  }

  async function refuses(c: Case): Promise<void> {
    const before = await digestDatabase(till.gateway.context.db);
    const answer = await send(c);
    await till.settle();
    expect(answer.body).toEqual({
      errorCode: c.errorCode,
      message: expect.any(String),
      fields: expect.any(Object),
    });
    expect(answer.status).toBe(c.status);
    expect(answer.body.message).not.toBe("");
    if (c.message) expect(answer.body.message).toMatch(c.message);
    expect(Object.keys(answer.body.fields).sort()).toEqual((c.fields ?? []).sort());
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    if (c.allow) expect(answer.headers.get("allow")).toBe(c.allow);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  }

  function check(cases: Case[]): void {
    it.each(cases)("$name → $status $errorCode", refuses);
  }

  return {
    get till(): TestGateway {
      return till;
    },
    keys,
    send,
    refuses,
    check,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
