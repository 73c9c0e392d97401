import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildApp } from "../gateway/app.ts";
import { onlySqlite } from "../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

function raw(
  method: string,
  path: string,
  base = till.url,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    request({ hostname, port, method, path }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on("error", reject)
      .end();
  });
}

describe("names of people", () => {
  it.each([
    ["a control character", "\u0000\u0007"],
    ["two lines", "A\nB"],
    ["nothing to be seen", "\u200b"],
    ["blanks alone", "   "],
    ["text that turns around", "\u202eevil"],
  ])("must not contain %s", async (_what, name) => {
    const owner = await openTill(till);
    const answer = await owner.pos("POST", "/staff", { name, role: "clerk", pin: "2583" });
    expect(answer.status).toBe(400);
    expect(answer.body.fields.name).toBe("must be a name of visible characters, on one line");
    expect((await owner.pos("GET", "/staff")).body.list).toHaveLength(1);
  });

  it("count as equal if they look the same", async () => {
    const owner = await openTill(till);
    const composed = { name: "\u00c1na", role: "clerk", pin: "2583" };
    expect((await owner.pos("POST", "/staff", composed)).status).toBe(200);
    const decomposed = { ...composed, name: " A\u0301na " };
    expect((await owner.pos("POST", "/staff", decomposed)).body.errorCode).toBe("NAME_TAKEN");
  });

  it.each(["Ána Lucía", "محمد", "王小明", "علی‌رضا", "👩‍👧 Rosa"])("may be %s", async (name) => {
    const owner = await openTill(till);
    const answer = await owner.pos("POST", "/staff", { name, role: "clerk", pin: "2583" });
    expect(answer.body.name).toBe(name);
  });
});

describe("paths and methods", () => {
  it("do not lead out of the pages' folder", async () => {
    const rendererDir = join(till.dataDir, "pages", "renderer");
    mkdirSync(join(rendererDir, "assets"), { recursive: true });
    writeFileSync(join(rendererDir, "index.html"), "<p>till</p>");
    writeFileSync(join(till.dataDir, "pages", "secret.json"), "secret");
    const { context } = till.gateway;
    const app = await buildApp({ ...context, config: { ...context.config, rendererDir } });
    const base = await app.listen({ port: 0, host: "127.0.0.1" });
    for (const path of [
      "/..",
      "/../secret.json",
      "/%2e%2e/secret.json",
      "/assets/%2e%2e/%2e%2e/secret.json",
      "/assets/..%5c..%5csecret.json",
    ]) {
      const answer = await raw("GET", path, base);
      expect([400, 404], path).toContain(answer.status);
      expect(answer.body).toMatch(/"errorCode":"(NOT_FOUND|INVALID_REQUEST)"/);
    }
    expect((await raw("GET", "/", base)).body).toContain("till");
    await app.close();
  });

  it("get a client error if they are unusual", async () => {
    for (const path of ["/v1/balance", "/", "/pos/status"]) {
      const { status, body } = await raw("QUERY", path);
      expect([404, 405], path).toContain(status);
      expect(JSON.parse(body).errorCode).toMatch(/^(NOT_FOUND|METHOD_NOT_ALLOWED)$/);
    }
  });

  it("an error names a field called __proto__ like any other field", async () => {
    const answer = await till.v1("GET", "/transactions?_limit=1&_offset=0&__proto__=1");
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.fields)).toBe('{"__proto__":"is not a known field"}');
  });
});

it("other users of the machine cannot read the database", onlySqlite("its files are meant"), () => {
  for (const file of ["tillgate.db", "tillgate.db-wal", "tillgate.db-shm"]) {
    expect(statSync(join(till.dataDir, file)).mode & 0o077, file).toBe(0);
  }
});

it("a staff session can open at most eight event streams", async () => {
  const { cookie } = await openTill(till);
  const windows: AbortController[] = [];
  async function open(): Promise<number> {
    const window = new AbortController();
    windows.push(window);
    const { signal } = window;
    return (await fetch(`${till.url}/pos/events`, { headers: { cookie }, signal })).status;
  }
  for (let n = 0; n < 8; n++) expect(await open()).toBe(200);
  expect(await open()).toBe(429);
  windows[0]?.abort();
  await expect.poll(open).toBe(200);
  for (const window of windows) window.abort();
});
