import { get } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildApp } from "../gateway/app.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { isForPrograms, LaterApp } from "./later-app.ts";
import { ServerSet } from "./server-set.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

describe("the till application", () => {
  it("responds as usual to the first requests, although they trigger its build", async () => {
    const asked = [
      ["/pos/session", 401],
      ["/pos/setup/state", 404],
      ["/r/nothing", 404],
      ["/v1/balance", 401],
      ["/nothing", 404],
      ["/pos/session?x=1", 401],
      ["/%70os/session", 401],
    ] as const;
    const ask = () =>
      Promise.all(
        asked.map(async ([path]) => {
          const answer = await fetch(gateway.url + path);
          return { status: answer.status, text: await answer.text() };
        }),
      );
    const first = await ask();
    expect(first.map(({ status }) => status)).toEqual(asked.map(([, status]) => status));
    expect(await ask()).toEqual(first);
  });

  it("receives a request body that was sent during the build", async () => {
    const body = JSON.stringify({ name: "x".repeat(60_000) });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${gateway.url}/pos/session`, { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({ errorCode: "INVALID_REQUEST" });
  });

  it("remains unbuilt while only programs send requests", async () => {
    const till = new LaterApp();
    const make = vi.spyOn(till, "make");
    const app = await buildApp(gateway.gateway.context, new ServerSet(), till);
    for (const url of ["/healthz", "/readyz", "/v1/balance", "/v1/nothing", "/docs", "/hooks/x"]) {
      await app.inject(url);
    }
    expect(make).not.toHaveBeenCalled();
    expect((await app.inject("/pos/session")).statusCode).toBe(401);
    expect(make).toHaveBeenCalledTimes(1);
    await app.close();
  });

  it("ignores a client that has disconnected", async () => {
    const till = new LaterApp();
    const app = await buildApp(gateway.gateway.context, new ServerSet(), till);
    const base = await app.listen({ host: "127.0.0.1", port: 0 });
    const request = get(`${base}/pos/session`);
    const gone = new Promise((resolve) => request.once("close", resolve));
    request.once("error", () => {});
    app.server.once("request", () => request.destroy());
    await gone;
    await till.make();
    expect((await fetch(`${base}/pos/session`)).status).toBe(401);
    await app.close();
  });
});

describe("the background build of the till application", () => {
  it("starts without a request", { tags: ["thorough"] }, async () => {
    const { context, readAhead, whenChecked } = gateway.gateway;
    const serve = vi.spyOn(context.modules, "serve");
    readAhead();
    await whenChecked();
    expect(serve.mock.calls.map(([door]) => door)).toEqual(["everywhere", "pages", "pos"]);
  });

  it("reports an error to the host, which ends the gateway", {
    tags: ["thorough"],
  }, async () => {
    const { context, readAhead, whenChecked } = gateway.gateway;
    vi.spyOn(context.modules, "serve").mockRejectedValue(new Error("a path twice"));
    readAhead();
    await expect(fetch(`${gateway.url}/pos/session`)).rejects.toThrow("fetch failed");
    await expect(whenChecked()).rejects.toThrow("a path twice");
  });

  it("does not start after the gateway is closed", async () => {
    const { context, readAhead, whenChecked, close } = gateway.gateway;
    const serve = vi.spyOn(context.modules, "serve");
    readAhead();
    await close();
    await whenChecked();
    expect(serve).not.toHaveBeenCalled();
  });
});

it.each([
  ["/v1", true],
  ["/v1/", true],
  ["/v1?limit=1", true],
  ["/%76%31/balance", true],
  ["http://127.0.0.1:8787/v1/balance", true],
  ["/v10/balance", false],
  ["/v1%2Fbalance", false],
  ["/V1/balance", false],
  ["//v1/balance", false],
  ["/pos/v1", false],
  ["/%zz", false],
  ["*", false],
  ["/", false],
])("isForPrograms classifies the URL %s as %s", (url, expected) => {
  expect(isForPrograms(url)).toBe(expected);
});
