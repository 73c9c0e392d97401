import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiDocument } from "../testing/api-document.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/**
 * Checks requests that differ from the description but are tolerated (rules#v1-tolerant-requests).
 */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const authorization = () => `Bearer ${gateway.key("test")}`;
const recipientPhoneNumber = "+50251234567";

async function sendEmpty(path: string, contentType: string) {
  const response = await fetch(`${gateway.url}/v1${path}`, {
    method: "POST",
    headers: { authorization: authorization(), "content-type": contentType },
  });
  return { status: response.status, body: (await response.json()) as { errorCode: string } };
}

describe("null for an optional field", () => {
  it("counts as absent, at any depth", async () => {
    const offerId = "TIGO_GT_TOPUP_25";
    for (const [index, extras] of [
      { sender: null, value: null },
      { sender: { country: null, phoneNumber: recipientPhoneNumber } },
    ].entries()) {
      const transactionId = `null-${index}`;
      const body = { offerId, transactionId, recipientPhoneNumber, ...extras };
      expect((await gateway.v1("POST", "/topups/purchases", body)).status).toBe(200);
      await gateway.settle();
      const { body: record } = await gateway.v1("GET", `/topups/purchases/${transactionId}`);
      expect(record).not.toHaveProperty("value");
      expect(record.sender).toEqual(
        extras.sender === null ? undefined : { phoneNumber: recipientPhoneNumber },
      );
    }
    const iccid = { offerId: "ESIM_GT_1GB_7D", transactionId: "null-esim", iccid: null };
    const { list } = (await gateway.v1("GET", "/esim/offers?_limit=1&_offset=0")).body;
    iccid.offerId = list[0].offerId;
    expect((await gateway.v1("POST", "/esim/purchases", iccid)).status).toBe(200);
    // The completed purchase may change the balance, so the test waits for it.
    await gateway.settle();
  });

  it("must not replace a required field, nor name an unknown field", async () => {
    const body = { offerId: "TIGO_GT_TOPUP_25", transactionId: null, recipientPhoneNumber };
    const { status, body: refused } = await gateway.v1("POST", "/topups/purchases", body);
    expect([status, Object.keys(refused.fields)]).toEqual([400, ["transactionId"]]);
    const unknown = { ...body, transactionId: "null-unknown", tip: null };
    const answer = await gateway.v1("POST", "/topups/purchases", unknown);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["tip"]]);
  });
});

describe("an operation without a body", () => {
  it("accepts an empty body of any content type", async () => {
    for (const contentType of ["application/json", "text/plain", "application/octet-stream"]) {
      const { status, body } = await sendEmpty("/esim/purchases/none/refund", contentType);
      expect([status, body.errorCode]).toEqual([404, "NOT_FOUND"]);
    }
  });

  it("refuses a body that is not JSON, and other operations refuse an empty body", async () => {
    const headers = { authorization: authorization(), "content-type": "text/plain" };
    const path = "/v1/esim/purchases/none/refund";
    const text = await gateway.call("POST", path, { headers, body: "hello" });
    expect([text.status, text.body.errorCode]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const empty = await sendEmpty("/topups/purchases", "application/json");
    expect([empty.status, empty.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect((await sendEmpty("/topups/purchases", "text/plain")).status).toBe(415);
  });
});

describe("a slash at the end of a path", () => {
  it.each(["/promos/?_limit=1&_offset=0", "/balance/", "/topups/offers/?_limit=1&_offset=0"])(
    "has no effect: %s",
    async (path) => {
      const plain = await gateway.v1("GET", path.replace(/\/(?=\?|$)/, ""));
      const slash = await gateway.v1("GET", path);
      expect([slash.status, slash.body]).toEqual([200, plain.body]);
    },
  );

  it("does not permit another method", async () => {
    const { status, headers } = await gateway.v1("DELETE", "/balance/");
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("a request without a valid key", () => {
  it.each([{}, { authorization: "Bearer test_wrong" }])(
    "receives WWW-Authenticate: %j",
    async (headers) => {
      const answer = await gateway.call("GET", "/v1/balance", { headers });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    },
  );
});

describe("a time in UTC", () => {
  it.each([
    "2026-01-01T00:00:00Z",
    "2026-01-01t00:00:00z",
    "2026-01-01T00:00:00.000+00:00",
    "2026-01-01T00:00:00-00:00",
  ])("may be written as %s", async (time) => {
    const lists = ["/transactions", "/topups/purchases"];
    for (const path of lists) {
      const query = new URLSearchParams({ _limit: "1", _offset: "0", createdAt: `gte${time}` });
      expect((await gateway.v1("GET", `${path}?${query}`)).status, path).toBe(200);
      const unescaped = `${path}?_limit=1&_offset=0&createdAt=lt${time}`;
      expect((await gateway.v1("GET", unescaped)).status, unescaped).toBe(200);
    }
    const period = { startGte: time, endLt: "2026-02-01T00:00:00+00:00" };
    expect((await gateway.v1("POST", "/reports/transactions", period)).body.period).toEqual({
      startGte: "2026-01-01T00:00:00.000Z",
      endLt: "2026-02-01T00:00:00.000Z",
    });
  });

  it("may not have the offset of another zone", async () => {
    const query = new URLSearchParams({ createdAt: "2026-01-01T00:00:00+01:00" });
    const answer = await gateway.v1("GET", `/transactions?_limit=1&_offset=0&${query}`);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["createdAt"]]);
  });
});

describe("a request to /v1", () => {
  it("may have spaces around the key", async () => {
    const headers = { authorization: `Bearer   ${gateway.key("test")} ` };
    expect((await gateway.call("GET", "/v1/balance", { headers })).status).toBe(200);
  });

  it("may use any case in a language tag", async () => {
    for (const language of ["ES", "es-MX", "pt-BR", "PT_br"]) {
      const path = `/promos?_limit=1&_offset=0&language=${language}`;
      expect((await gateway.v1("GET", path)).status, language).toBe(200);
    }
    const path = "/brands/ADIDAS/redemptionInstructions?country=US&deliveryType=EPIN";
    expect((await gateway.v1("GET", `${path}&language=ES-mx`)).body.language).toBe("es");
  });

  it("must not have a compressed body; the error says so", async () => {
    const response = await fetch(`${gateway.url}/v1/topups/purchases`, {
      method: "POST",
      headers: {
        authorization: authorization(),
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body: Buffer.from([0x1f, 0x8b, 8, 0]),
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      errorCode: "UNSUPPORTED_MEDIA_TYPE",
      message: expect.stringContaining("gzip"),
    });
  });

  it("must not repeat a parameter; the error names the parameter", async () => {
    const answer = await gateway.v1("GET", "/topups/offers?_limit=1&_offset=0&brand=A&brand=B");
    expect([answer.status, answer.body.fields]).toEqual([400, { brand: "must be given once" }]);
  });

  it("must not repeat a query parameter of any operation; the error names the parameter", async () => {
    const { operations } = await readApiDocument(gateway);
    const wrong: string[] = [];
    for (const { method, path, parameters } of operations) {
      for (const { name } of parameters.filter((one) => one.in === "query")) {
        const query = `${name}=1&${name}=1`;
        const answer = await gateway.v1(method, `${path.replaceAll(/\{\w+\}/g, "x")}?${query}`);
        if (answer.body.fields?.[name] !== "must be given once") wrong.push(`${path} ${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("must not have a path parameter that is too long; the error names the parameter", async () => {
    const answer = await gateway.v1("GET", `/topups/offers/${"x".repeat(300)}`);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["path"]]);
  });

  it("must not name an unknown host; the error names the setting that allows the host", async () => {
    const { hostname, port } = new URL(gateway.url);
    const answer = await new Promise<string>((resolve) => {
      const request = httpRequest({
        hostname,
        port,
        path: "/v1/balance",
        headers: { host: "x.example" },
      });
      request.on("response", (response) => {
        void readText(response).then(resolve);
      });
      request.end();
    });
    expect(answer).toContain("TILLGATE_ALLOWED_HOSTS");
  });

  it("gets status 431 if its headers are too large", async () => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.write(`GET /v1/balance HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(40_000)}\r\n\r\n`);
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1\.1 431 /);
    socket.destroy();
  });
});
