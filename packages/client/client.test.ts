import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SECOND } from "../../server/lib/clock.ts";
import { type MutatingProxy, startMutatingProxy } from "../../server/testing/mutating-proxy.ts";
import { startTestGateway, type TestGateway } from "../../server/testing/test-gateway.ts";
import { startReceiver } from "../../server/testing/webhook-receiver.ts";
import {
  ApiError,
  ConnectionError,
  createTillgateClient,
  type TillgateClient,
  UnconfirmedPurchaseError,
  verifyWebhook,
  WaitTimeoutError,
  WebhookSignatureError,
} from "./src/index.ts";

const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const WAIT = { intervalMs: 10 };

let gateway: TestGateway;
let proxy: MutatingProxy;
let client: TillgateClient;
beforeEach(async () => {
  // Without a random part, the delays of repeats are exact.
  vi.spyOn(Math, "random").mockReturnValue(0);
  gateway = await startTestGateway();
  proxy = await startMutatingProxy(() => gateway.url);
  client = connect();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await proxy.close();
  await gateway.expectCleanBooks();
  await gateway.close();
});

function connect(options: Partial<Parameters<typeof createTillgateClient>[0]> = {}) {
  return createTillgateClient({ baseUrl: proxy.url, apiKey: gateway.key("test"), ...options });
}

function loseAnswers(method: string, ...mutations: ReturnType<MutatingProxy["choose"]>[]): void {
  proxy.choose = (exchange) => (exchange.method === method ? mutations.shift() : undefined);
}

async function getTransactionIds(): Promise<string[]> {
  const { body } = await gateway.v1("GET", "/transactions?_limit=100&_offset=0&productType=TOPUP");
  return body.list.map(({ transactionId }: { transactionId: string }) => transactionId);
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => expect.unreachable("the promise was fulfilled"),
    (error: unknown) => error,
  );
}

async function whileTimePasses<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  while (!isSettled) await gateway.advance(SECOND);
  return await settled;
}

describe("the client's purchase", () => {
  it("resolves once the purchase is final, in each family", async () => {
    const topup = await whileTimePasses(client.purchaseAndWait("topups", TOPUP, WAIT));
    expect(topup).toMatchObject({ status: "DONE", recipientPhoneNumber: "+50251234567" });
    const voucher = await whileTimePasses(
      client.purchaseAndWait(
        "vouchers",
        {
          offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
          value: { type: "ZEND", value: 10_000 },
          fields: [
            { key: "meter.number", value: "01234567890" },
            { key: "recipient.msisdn", value: "+27821234567" },
          ],
        },
        WAIT,
      ),
    );
    expect(voucher.receipt?.epin).toMatch(/\d/);
    const esim = await whileTimePasses(
      client.purchaseAndWait("esim", { offerId: "AIRALO_ES_1GB_7D" }, WAIT),
    );
    expect(esim.confirmation?.iccid).toMatch(/^89/);
    const bill = await whileTimePasses(
      client.purchaseAndWait(
        "billpay",
        {
          offerId: "AYSA_AR_BILL_WATER",
          value: { type: "ZEND", value: 720_000 },
          fields: [
            { key: "accountNumber", value: "1234567890" },
            { key: "billIdentifier", value: "42" },
          ],
        },
        WAIT,
      ),
    );
    expect(bill.status).toBe("DONE");
  });

  it("quotes the amounts of a purchase, buys nothing and leaves the id free", async () => {
    const input = { ...TOPUP, transactionId: "quoted-1" };
    loseAnswers("POST", { kind: "CUT" });
    const quote = await client.quote("topups", input);
    expect(await getTransactionIds()).toEqual([]);
    const { price, cost } = await whileTimePasses(client.purchaseAndWait("topups", input, WAIT));
    expect([quote.price, quote.cost, quote.transactionId]).toEqual([price, cost, "quoted-1"]);
    expect(quote).not.toHaveProperty("status");
    const unknown = client.quote("topups", { ...TOPUP, offerId: "NOTHING" });
    expect(await rejection(unknown)).toMatchObject({ code: "OFFER_NOT_FOUND" });
  });

  it("contains the reason of a failure in its record", async () => {
    const purchase = await whileTimePasses(
      client.purchaseAndWait("topups", { ...TOPUP, recipientPhoneNumber: "+50251239001" }, WAIT),
    );
    expect(purchase).toMatchObject({ status: "FAILED", error: { code: "RECIPIENT_INVALID" } });
  });

  it("throws an error with its record if the purchase is not final in time", async () => {
    const error = await rejection(
      client.purchaseAndWait("topups", { ...TOPUP, transactionId: "slow" }, { timeoutMs: 0 }),
    );
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({ last: { transactionId: "slow", offerId: TOPUP.offerId } });
  });

  it("creates one transaction with one generated id, even if responses are lost", async () => {
    loseAnswers("POST", { kind: "CUT" }, { kind: "TRUNCATE" }, answer(502, true));
    const { transactionId } = await client.purchase("topups", TOPUP);
    expect(await getTransactionIds()).toEqual([transactionId]);
    expect(proxy.forwarded.get("POST /v1/topups/purchases")).toBe(4);
  });

  it("throws an error with its id if no response confirms it, and can be repeated with that id", async () => {
    const cut = { kind: "CUT" } as const;
    loseAnswers("POST", cut, cut);
    const error = await rejection(connect({ maxRetries: 1 }).purchase("topups", TOPUP));
    expect(error).toBeInstanceOf(UnconfirmedPurchaseError);
    const { transactionId, cause } = error as UnconfirmedPurchaseError;
    expect(cause).toBeInstanceOf(ConnectionError);
    const repeated = await client.purchase("topups", { ...TOPUP, transactionId });
    expect(repeated.transactionId).toBe(transactionId);
    expect(await getTransactionIds()).toEqual([transactionId]);
  });

  it("fails with DUPLICATE_TRANSACTION_ID if another purchase has the same id", async () => {
    await client.purchase("topups", { ...TOPUP, transactionId: "order-1" });
    const other = { ...TOPUP, transactionId: "order-1", recipientPhoneNumber: "+50251230000" };
    const error = await rejection(client.purchase("topups", other));
    expect(error).toMatchObject({ code: "DUPLICATE_TRANSACTION_ID", field: "transactionId" });
    const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "order-1" };
    expect(await rejection(client.purchase("esim", esim))).toMatchObject({
      code: "DUPLICATE_TRANSACTION_ID",
    });
  });

  it("counts as a repeat if its fields are in another order", async () => {
    const fields = [
      { key: "meter.number", value: "01234567890" },
      { key: "recipient.msisdn", value: "+27821234567" },
    ];
    const input = {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      transactionId: "order-3",
      value: { type: "ZEND", value: 10_000 } as const,
    };
    await client.purchase("vouchers", { ...input, fields });
    const repeated = await client.purchase("vouchers", { ...input, fields: fields.toReversed() });
    expect(repeated.transactionId).toBe("order-3");
  });

  it("throws an error with its id and the cause after an abort", async () => {
    const abort = new AbortController();
    proxy.choose = () => {
      abort.abort();
      return { kind: "DELAY" };
    };
    const input = { ...TOPUP, transactionId: "aborted" };
    const error = await rejection(client.purchase("topups", input, abort));
    expect(error).toMatchObject({ transactionId: "aborted", cause: { name: "AbortError" } });
  });
});

function answer(status: number, isForwarded: boolean, retryAfter?: string) {
  return { kind: "ANSWER", status, isForwarded, ...(retryAfter && { retryAfter }) } as const;
}

describe("the client, after a refusal,", () => {
  it("throws an error with the code and the invalid field", async () => {
    const direct = connect({ baseUrl: gateway.url });
    const error = await rejection(
      direct.purchase("topups", { ...TOPUP, recipientPhoneNumber: "12345" }),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
      field: "recipientPhoneNumber",
      fields: { recipientPhoneNumber: expect.stringContaining("E.164") },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const unknown = await rejection(connect({ apiKey: "unknown" }).get("/v1/balance"));
    expect(unknown).toMatchObject({ status: 401, code: "NOT_AUTHORIZED", field: undefined });
  });

  it("throws an error with the status if the response has no error body", async () => {
    loseAnswers("GET", answer(418, false));
    const error = await rejection(client.get("/v1/balance"));
    expect(error).toMatchObject({ status: 418, code: undefined, fields: {} });
  });

  it.each([429, 503])("repeats after status %i, with the requested delay", async (status) => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    loseAnswers("POST", answer(status, false, "1"));
    const { transactionId } = await client.purchase("topups", TOPUP);
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(1_000);
    expect(await getTransactionIds()).toEqual([transactionId]);
  });

  it("throws at once if the requested delay exceeds the configured limit", async () => {
    const hasty = connect({ maxRetryDelayMs: 10_000 });
    loseAnswers("GET", answer(503, false, "11"), answer(429, false, "tomorrow"));
    const error = await rejection(hasty.get("/v1/balance"));
    expect(error).toMatchObject({ status: 503, retryAfterMs: 11_000 });
    // An unreadable Retry-After counts as absent.
    expect(await hasty.get("/v1/balance")).toMatchObject({ currency: "USD" });
  });

  it("throws after the last permitted repeat", async () => {
    proxy.choose = () => answer(503, false, "0");
    const error = await rejection(connect({ maxRetries: 2 }).get("/v1/balance"));
    expect(error).toMatchObject({ status: 503 });
  });

  it("repeats the request as soon as the real rate limit permits", async () => {
    await gateway.close();
    gateway = await startTestGateway({ rateLimit: { burst: 1, perSecond: 1 } });
    const direct = connect({ baseUrl: gateway.url });
    await direct.get("/v1/balance");
    const second = direct.get("/v1/balance");
    expect(await whileTimePasses(second)).toMatchObject({ currency: "USD" });
  });
});

describe("the client, after a lost response,", () => {
  it("repeats a read request", async () => {
    loseAnswers("GET", { kind: "CUT" }, { kind: "TRUNCATE" });
    expect(await client.get("/v1/balance")).toMatchObject({ currency: "USD" });
  });

  it("throws for a refund, because a repeated request could refund twice", async () => {
    const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "travel" };
    await whileTimePasses(client.purchaseAndWait("esim", esim, WAIT));
    loseAnswers("POST", { kind: "CUT" });
    const params = { path: { transactionId: "travel" } };
    const error = await rejection(
      client.post("/v1/esim/purchases/{transactionId}/refund", { params }),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    expect(await whileTimePasses(client.waitForRefund("travel", WAIT))).toMatchObject({
      status: "DONE",
    });
  });

  it("throws a connection error if the response arrives after the timeout", async () => {
    proxy.choose = () => ({ kind: "DELAY" });
    const hasty = connect({ requestTimeoutMs: 50, maxRetries: 0 });
    const error = await rejection(hasty.get("/v1/balance"));
    expect(error).toMatchObject({ name: "ConnectionError", cause: { name: "TimeoutError" } });
  });
});

describe("the client's list", () => {
  async function getIds(list: AsyncIterable<{ transactionId: string }>): Promise<string[]> {
    const ids: string[] = [];
    for await (const { transactionId } of list) ids.push(transactionId);
    return ids;
  }

  /** Adds a sale before each page except the first. Returns the listed ids. */
  async function getIdsOfGrowingList(createdAt?: `gte${string}`): Promise<string[]> {
    let added = 0;
    proxy.choose = () => undefined;
    const growing = connect({
      async fetch(request) {
        if (!request.url.includes("_offset=0")) {
          await gateway.v1("POST", "/topups/purchases", {
            ...TOPUP,
            transactionId: `new-${added++}`,
          });
        }
        return await fetch(request);
      },
    });
    const filters = { ...(createdAt && { createdAt }) };
    return await getIds(growing.list("/v1/topups/purchases", filters, { pageSize: 2 }));
  }

  it("iterates over all pages with the caller's filters", async () => {
    const all = (await gateway.v1("GET", "/topups/offers?_limit=1000&_offset=0&country=GT")).body;
    const offers: string[] = [];
    for await (const offer of client.list(
      "/v1/topups/offers",
      { country: "GT" },
      { pageSize: 3 },
    )) {
      offers.push(offer.offerId);
    }
    expect(offers.length).toBeGreaterThan(3);
    expect(offers).toEqual(all.list.map(({ offerId }: { offerId: string }) => offerId));
  });

  it("yields each existing row once while the list grows, and no added rows", async () => {
    for (const transactionId of ["a", "b", "c", "d", "e"]) {
      await client.purchase("topups", { ...TOPUP, transactionId });
      await gateway.advance(SECOND);
    }
    expect(await getIdsOfGrowingList()).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("respects the caller's lower time limit while the list grows", async () => {
    for (const transactionId of ["a", "b", "c", "d"]) {
      await client.purchase("topups", { ...TOPUP, transactionId });
      await gateway.advance(SECOND);
    }
    const { createdAt } = await client.getPurchase("topups", "b");
    expect(await getIdsOfGrowingList(`gte${createdAt}`)).toEqual(["d", "c", "b"]);
    const after = client.list("/v1/transactions", { createdAt: `gt${createdAt}` }, { pageSize: 1 });
    expect(await getIds(after)).toEqual(["new-0", "d", "c"]);
  });

  it("ends at once if the list is empty", async () => {
    expect(await getIds(client.list("/v1/esim/purchases"))).toEqual([]);
  });
});

describe("the client's download", () => {
  it("returns an eSIM's QR code and a finished report", async () => {
    const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "travel" };
    await whileTimePasses(client.purchaseAndWait("esim", esim, WAIT));
    const direct = connect({ baseUrl: gateway.url });
    const params = { path: { transactionId: "travel" } };
    const picture = await direct.download("/v1/esim/purchases/{transactionId}/qrcode", { params });
    expect(picture.type).toBe("image/png");
    const code = await direct.get("/v1/esim/purchases/{transactionId}/qrcode", { params });
    expect(code.imageBase64).toMatch(/^iVBOR/);
    const { reportId } = await direct.post("/v1/reports/transactions", {
      body: { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" },
    });
    const report = await whileTimePasses(direct.waitForReport(reportId, WAIT));
    const file = await direct.download("/v1/reports/transactions/{reportId}/{file}", {
      params: { path: { reportId, file: report.file?.name ?? "" } },
    });
    expect(await file.text()).toContain("travel");
  });
});

describe("verifyWebhook", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  async function receiveResult() {
    const receiver = await startReceiver(gateway);
    const owner = { accountId: "default", staffId: undefined };
    const { secret } = await gateway.gateway.context.webhooks.add(owner, {
      environment: "test",
      kind: "TOPUP",
      url: `${receiver.url}/hook`,
      allowPrivate: true,
    });
    await client.purchase("topups", { ...TOPUP, transactionId: "sold" });
    await gateway.advance(SECOND);
    await receiver.close();
    gateway.outside.delete(receiver);
    // The message's timestamp is from the gateway's clock.
    vi.useFakeTimers({ toFake: ["Date"], now: gateway.clock.now() });
    return { message: receiver.received[0]!, secret };
  }

  it("returns the record if the message's signature is valid", async () => {
    const { message, secret } = await receiveResult();
    const purchase = verifyWebhook<"topupResult">(message, secret);
    expect(purchase).toEqual(await client.getPurchase("topups", "sold"));
    const bytes = { ...message, body: Buffer.from(message.body) };
    const old = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    expect(verifyWebhook<"topupResult">(bytes, [old, secret])).toEqual(purchase);
  });

  it("throws if body, secret, headers or time are wrong", async () => {
    const { message, secret } = await receiveResult();
    const verify = (changes: Partial<typeof message>, by: string | string[] = secret) => {
      return () => verifyWebhook({ ...message, ...changes }, by);
    };
    expect(verify({})).not.toThrow();
    expect(verify({ body: message.body.replace("DONE", "FAILED") })).toThrow(WebhookSignatureError);
    expect(verify({}, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toThrow(WebhookSignatureError);
    expect(verify({}, [])).toThrow(WebhookSignatureError);
    expect(verify({ headers: {} })).toThrow(WebhookSignatureError);
    vi.setSystemTime(gateway.clock.now() + 301 * SECOND);
    expect(verify({})).toThrow("timestamp too old");
  });
});
