import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { buildApp } from "../gateway/app.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";
import type { App } from "./app-types.ts";
import { LaterApp } from "./later-app.ts";
import { ServerSet } from "./server-set.ts";

/** A till that is built only when the test permits it, as on a slow machine. */
class HeldTill extends LaterApp {
  readonly #held = Promise.withResolvers<void>();

  override makeBy(begin: Parameters<LaterApp["makeBy"]>[0]): void {
    super.makeBy(async () => {
      await this.#held.promise;
      return begin();
    });
  }

  letBeMade(): void {
    this.#held.resolve();
  }
}

const JSON_HEADERS = { "content-type": "application/json" };

let gateway: TestGateway;
let till: HeldTill;
let app: App;
let port: number;
let arrived: number;
let agent: Agent;

beforeEach(async () => {
  gateway = await startTestGateway();
  const { context } = gateway.gateway;
  mkdirSync(join(context.config.rendererDir, "assets"), { recursive: true });
  writeFileSync(join(context.config.rendererDir, "index.html"), "<title>the till</title>");
  writeFileSync(join(context.config.rendererDir, "assets/page.js"), "const page = 1;");
  till = new HeldTill();
  app = await buildApp(context, new ServerSet(), till);
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.address() as AddressInfo).port;
  arrived = 0;
  app.server.prependListener("request", () => arrived++);
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(async () => {
  till.letBeMade();
  agent.destroy();
  await app.close();
  await gateway.close();
});

function ask(
  method: string,
  path: string,
  options: RequestOptions = {},
  body?: string,
): Promise<IncomingMessage> {
  const sent = request({ host: "127.0.0.1", port, method, path, ...options });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once("response", resolve).once("error", reject);
  sent.end(body);
  return promise;
}

const reach = (count: number) => vi.waitFor(() => expect(arrived).toBe(count));

it("a till request that arrives before the till is built waits and gets its usual response", async () => {
  const { cookie } = await openTill(gateway);
  const signIn = JSON.stringify({ staffId: "nobody", pin: "1234" });
  const stream = { headers: { cookie, accept: "text/event-stream" } };
  const early = Promise.all([
    ask("GET", "/"),
    ask("HEAD", "/"),
    ask("GET", "/display"),
    ask("GET", "/assets/page.js"),
    ask("GET", "/assets/nothing.js"),
    ask("GET", "/pos/status"),
    ask("GET", "/pos/session", { headers: { cookie } }),
    ask("POST", "/pos/session", { headers: JSON_HEADERS }, signIn),
    ask("POST", "/pos/session", { headers: JSON_HEADERS }, "{"),
    ask("PATCH", "/pos/session"),
    ask("GET", "/pos/events", stream),
  ]);
  const isAnswered = vi.fn<() => void>();
  void early.then(isAnswered);
  await reach(11);
  expect((await ask("GET", "/v1/balance")).statusCode).toBe(401);
  expect(isAnswered).not.toHaveBeenCalled();

  till.letBeMade();
  const answers = await early;
  const data = "application/json";
  expect(
    answers.map(({ statusCode, headers }) => [statusCode, headers["content-type"]?.split(";")[0]]),
  ).toEqual([
    [200, "text/html"],
    [200, "text/html"],
    [200, "text/html"],
    [200, "application/javascript"],
    [404, data],
    [200, data],
    [200, data],
    [401, data],
    [400, data],
    [405, data],
    [200, "text/event-stream"],
  ]);
  for (const answer of answers) answer.destroy();
});

it("a persistent connection gets its responses in the order of its requests", async () => {
  const one = async (path: string) => {
    const answer = await ask("GET", path, { agent });
    const from = answer.socket.localPort;
    await text(answer);
    return [answer.statusCode, from];
  };
  const before = await one("/healthz");
  const early = one("/pos/session");
  const after = one("/v1/balance");
  await reach(2);
  till.letBeMade();
  expect([await early, await after]).toEqual([
    [401, before[1]],
    [401, before[1]],
  ]);
});

it("a waiting till request gets an error when the gateway starts to stop", async () => {
  const early = ask("GET", "/pos/session");
  await reach(1);
  const closed = app.close();
  till.letBeMade();
  expect((await early).statusCode).toBe(503);
  await closed;
});

it("a till request during the stop gets an error, and the till is not built", async () => {
  const unasked = new LaterApp();
  const make = vi.spyOn(unasked, "make");
  const stopping = await buildApp(gateway.gateway.context, new ServerSet(), unasked);
  const answered: number[] = [];
  // While this hook runs, the listener still accepts connections.
  stopping.addHook("preClose", async () => {
    answered.push((await fetch(`${base}/pos/session`)).status);
  });
  const base = await stopping.listen({ host: "127.0.0.1", port: 0 });
  await stopping.close();
  expect(answered).toEqual([503]);
  expect(make).not.toHaveBeenCalled();
});
