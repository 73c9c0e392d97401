import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { FIXED, NOT_AUTHORIZED, startBadInput } from "../testing/bad-input.ts";

const input = startBadInput();
const { keys, send, refuses, check } = input;

describe("the caller check", () => {
  check([
    { name: "no Authorization", headers: { authorization: "" }, ...NOT_AUTHORIZED },
    { name: "another scheme", headers: { authorization: "Basic dGVzdDp0ZXN0" }, ...NOT_AUTHORIZED },
    { name: "a scheme without a key", headers: { authorization: "Bearer" }, ...NOT_AUTHORIZED },
    { name: "two keys", headers: { authorization: "Bearer a b" }, ...NOT_AUTHORIZED },
    { name: "a key without its scheme", headers: { authorization: "test_x" }, ...NOT_AUTHORIZED },
    {
      name: "a key of 257 characters",
      headers: { authorization: `Bearer ${"x".repeat(257)}` },
      ...NOT_AUTHORIZED,
    },
    {
      name: "an unknown key",
      headers: { authorization: `Bearer test_${"A".repeat(43)}` },
      ...NOT_AUTHORIZED,
    },
  ]);

  it("rejects a revoked key with 401 NOT_AUTHORIZED", async () => {
    const authorization = `Bearer ${keys.revoked}`;
    await refuses({ name: "", headers: { authorization }, ...NOT_AUTHORIZED });
  });

  it("rejects a key from an address not on its list with 403 FORBIDDEN", async () => {
    const authorization = `Bearer ${keys.elsewhere}`;
    const forbidden = { status: 403, errorCode: "FORBIDDEN", body: FIXED };
    await refuses({ name: "", headers: { authorization }, ...forbidden });
  });

  it("accepts a key from an address on its list", async () => {
    const headers = { authorization: `Bearer ${keys.inside}` };
    expect((await input.till.call("GET", "/v1/balance", { headers })).status).toBe(200);
  });

  it("runs before the validation of requests, so that no operation reveals anything without a key", async () => {
    const paths = ["/balance", "/topups/offers", "/topups/offers/X", "/topups/purchases"];
    for (const path of [
      ...paths,
      "/topups/purchases/used",
      "/transactions",
      "/transactions/used",
    ]) {
      expect((await input.till.call("GET", `/v1${path}`)).body.errorCode).toBe("NOT_AUTHORIZED");
    }
  });

  check([
    {
      name: "a purchase of the other environment",
      path: "/v1/topups/purchases/used",
      environment: "live",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "a transaction of the other environment",
      path: "/v1/transactions/used",
      environment: "live",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "an offer of the other environment",
      path: `/v1/topups/offers/${FIXED.offerId}`,
      environment: "live",
      status: 404,
      errorCode: "NOT_FOUND",
    },
    {
      name: "buying an offer of the other environment, where no provider is connected",
      body: FIXED,
      environment: "live",
      status: 400,
      errorCode: "PROVIDER_NOT_CONFIGURED",
    },
  ]);
});

describe("a browser request sent by a foreign page", () => {
  const FORBIDDEN = { status: 403, errorCode: "FORBIDDEN" };
  check([
    { name: "a foreign Host", headers: { host: "evil.example" }, ...FORBIDDEN, fields: ["host"] },
    {
      name: "a foreign Host that begins like ours",
      headers: { host: "localhost.evil.example:8787" },
      ...FORBIDDEN,
      fields: ["host"],
    },
    { name: "a foreign address", headers: { host: "10.0.0.9" }, ...FORBIDDEN, fields: ["host"] },
    {
      name: "a foreign Origin",
      headers: { origin: "https://evil.example" },
      body: FIXED,
      ...FORBIDDEN,
      fields: ["origin"],
    },
    { name: "Origin null", headers: { origin: "null" }, ...FORBIDDEN, fields: ["origin"] },
    {
      name: "the Origin of another port",
      headers: { origin: "http://127.0.0.1:1" },
      ...FORBIDDEN,
      fields: ["origin"],
    },
    {
      name: "a foreign Host on the till",
      path: "/pos/status",
      headers: { host: "evil.example" },
      ...FORBIDDEN,
      fields: ["host"],
    },
    {
      name: "a foreign Host on the pages",
      path: "/",
      headers: { host: "evil.example" },
      ...FORBIDDEN,
      fields: ["host"],
    },
  ]);

  it("a browser request of the gateway's own origin is accepted", async () => {
    const { host } = new URL(input.till.url);
    const answer = await send({
      name: "",
      path: "/v1/balance",
      headers: { origin: `http://${host}` },
      status: 200,
      errorCode: "",
    });
    expect(answer.status).toBe(200);
  });
});

describe("malformed HTTP", () => {
  it.each([
    ["a protocol that is none", 400, "GET / HTTP/9\r\n\r\n"],
    ["a header that never ends", 431, `GET / HTTP/1.1\r\nx: ${"y".repeat(70_000)}\r\n\r\n`],
    ["two lengths", 400, "POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx"],
  ])("receives an error body: %s", async (_name, status, bytes) => {
    const { port } = new URL(input.till.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
      let text = "";
      socket.setEncoding("utf8");
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
    });
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain("\r\nx-request-id: ");
    const errorCode = status === 431 ? "PAYLOAD_TOO_LARGE" : "INVALID_REQUEST";
    expect(JSON.parse(body)).toMatchObject({ errorCode, fields: {} });
  });
});
