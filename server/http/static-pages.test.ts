import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildApp } from "../gateway/app.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import type { App } from "./app-types.ts";

let till: TestGateway;
let app: App;
beforeEach(async () => {
  till = await startTestGateway();
  const rendererDir = join(till.dataDir, "pages");
  mkdirSync(join(rendererDir, "assets"), { recursive: true });
  writeFileSync(join(rendererDir, "index.html"), "<!doctype html><title>Till</title>");
  // This file cannot be opened, as if no file handle were free.
  symlinkSync("loop.js", join(rendererDir, "assets", "loop.js"));
  const { context } = till.gateway;
  app = await buildApp({ ...context, config: { ...context.config, rendererDir } });
});
afterEach(async () => {
  await app.close();
  await till.close();
});

it("a URL with extra leading slashes opens the till", async () => {
  for (const url of ["//", "///"]) {
    const answer = await app.inject({ url });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, "/"]);
  }
  expect((await app.inject({ url: "//nowhere" })).statusCode).toBe(404);
});

it("a typed address of the back office opens its screen", async () => {
  const screens = [
    ["/office", "/#/office"],
    ["/office/", "/#/office/"],
    ["/office/sales?from=2026-11-01", "/#/office/sales?from=2026-11-01"],
    ["/office//elsewhere.example", "/#/office//elsewhere.example"],
  ] as const;
  for (const [url, location] of screens) {
    for (const method of ["GET", "HEAD"] as const) {
      const answer = await app.inject({ method, url });
      const { statusCode, headers, body } = answer;
      expect([url, statusCode, headers.location, body]).toEqual([url, 302, location, ""]);
    }
  }
  for (const url of ["/officer", "/pos/office"]) {
    expect((await app.inject({ url })).statusCode).toBe(404);
  }
  expect((await app.inject({ method: "POST", url: "/office" })).statusCode).toBe(405);
});

it("an unreadable page file gets an error body", async () => {
  expect((await app.inject({ url: "/" })).body).toContain("Till");
  for (const url of ["/assets/loop.js", "/assets/loop.js?v=1"]) {
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      errorCode: "SYSTEM_UNAVAILABLE",
      message: expect.any(String),
      fields: {},
    });
  }
});

it.each(["EMFILE", "ENFILE"])(
  "every request gets an error body while no file can be opened (%s)",
  async (code) => {
    const full = Object.assign(new Error("too many open files"), { code });
    const busy = await buildApp(till.gateway.context);
    busy.get("/healthz/busy", () => {
      throw full;
    });
    const answer = await busy.inject({ url: "/healthz/busy" });
    expect([answer.statusCode, answer.json().errorCode]).toEqual([503, "SYSTEM_UNAVAILABLE"]);
    expect(answer.json().message).toMatch(/too many files or connections are open/);
    await busy.close();
  },
);
