import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAILURE_CODES, OTHER_FAILURE_CODES } from "../contract/error-codes.ts";
import { KEY_SCOPES } from "../contract/pos/keys.ts";
import { buildApp } from "../gateway/app.ts";
import { SECOND } from "../lib/clock.ts";
import { registerSandboxRoutes } from "../modules/operations/sandbox/sandbox-routes.ts";
import { type ApiDocument, type ApiSchema, readApiDocument } from "../testing/api-document.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { scopeOfOperation } from "./operation-scopes.ts";

/** Checks that the description of `/v1` is complete and matches every response. */
let till: TestGateway;
let api: ApiDocument;

beforeAll(async () => {
  till = await startTestGateway();
  api = await readApiDocument(till);
});
afterAll(() => till.close());

/** Operations of `/v1` (rules#v1-operations). */
const OPERATIONS = [
  "GET /v1/balance",
  "GET /v1/brands",
  "GET /v1/brands/{brand}",
  "GET /v1/brands/{brand}/redemptionInstructions",
  "GET /v1/topups/offers",
  "GET /v1/topups/offers/{offerId}",
  "GET /v1/topups/purchases",
  "POST /v1/topups/purchases",
  "GET /v1/topups/purchases/{transactionId}",
  "GET /v1/vouchers/offers",
  "GET /v1/vouchers/offers/{offerId}",
  "GET /v1/vouchers/purchases",
  "POST /v1/vouchers/purchases",
  "GET /v1/vouchers/purchases/{transactionId}",
  "GET /v1/esim/offers",
  "GET /v1/esim/offers/{offerId}",
  "GET /v1/esim/purchases",
  "POST /v1/esim/purchases",
  "GET /v1/esim/purchases/{transactionId}",
  "GET /v1/esim/purchases/{transactionId}/qrcode",
  "GET /v1/esim/purchases/{transactionId}/refund",
  "POST /v1/esim/purchases/{transactionId}/refund",
  "GET /v1/esim/{iccId}/plans",
  "GET /v1/billpay/offers",
  "GET /v1/billpay/offers/{offerId}",
  "GET /v1/billpay/offers/{offerId}/bill",
  "GET /v1/billpay/purchases",
  "POST /v1/billpay/purchases",
  "GET /v1/billpay/purchases/{transactionId}",
  "GET /v1/promos",
  "GET /v1/promos/{promoId}",
  "GET /v1/tools/phonenumberlookup/{msisdn}",
  "GET /v1/transactions",
  "GET /v1/transactions/{transactionId}",
  "POST /v1/reports/transactions",
  "GET /v1/reports/transactions/{reportId}",
  "GET /v1/reports/transactions/{reportId}/{file}",
];

const ERRORS = ["400", "401", "403", "404", "405", "413", "415", "429", "500", "503"];

describe("the description of /v1", () => {
  it("can be loaded without a key, declares OpenAPI 3.1, and names the key that operations need", () => {
    expect(api.json.openapi).toBe("3.1.0");
    expect(api.json.components.securitySchemes).toMatchObject({
      ApiKey: { type: "http", scheme: "bearer" },
    });
    expect(api.json.security).toEqual([{ ApiKey: [] }]);
  });

  it("contains every operation of /v1, and no operation of the till", async () => {
    expect(api.operations.map(({ name }) => name).sort()).toEqual([...OPERATIONS].sort());
    const app = await buildApp(till.gateway.context);
    await app.ready();
    const routes = routesOf(app.printRoutes({ commonPrefix: false }));
    await app.close();
    const served = routes.filter((route) => / \/v1\//.test(route) && !route.startsWith("HEAD "));
    const pictures = "GET /v1/brands/{brand}/{picture}";
    const described = [...OPERATIONS, "GET /v1/openapi.json", pictures];
    expect(served.sort()).toEqual(described.sort());
  });

  it("requires the key in every operation, and lists each operation's errors", () => {
    for (const { name, security, responses } of api.operations) {
      expect([name, security]).toEqual([name, undefined]);
      const statuses = Object.keys(responses).filter((status) => status !== "304");
      expect([name, statuses.sort()]).toEqual([name, ["200", ...ERRORS]]);
      for (const status of ERRORS) {
        const { schema } = responses[status]!.content["application/json"]!;
        expect(schema).toEqual({ $ref: "#/components/schemas/ErrorBody" });
      }
    }
  });

  it("gives each operation one scope that a key needs", () => {
    const scopes = api.operations.map(({ operationId }) => scopeOfOperation(operationId));
    expect(scopes).not.toContain(undefined);
    expect(new Set(scopes)).toEqual(new Set(KEY_SCOPES));
  });

  it("gives each operation a unique name and a known tag", () => {
    const names = api.operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(OPERATIONS.length);
    const tags = api.json.tags.map(({ name }: { name: string }) => name);
    for (const { name, tags: own } of api.operations) {
      expect([name, own.length]).toEqual([name, 1]);
      expect(tags).toContain(own[0]);
    }
  });

  it("marks required parameters", () => {
    for (const { name, parameters, responses } of api.operations) {
      const required = parameters.filter((p) => p.in === "query" && p.required).map((p) => p.name);
      const { schema } = responses[200]!.content["application/json"] ?? {};
      if (!api.resolve(schema)?.properties?.limit) continue;
      expect([name, required.sort()]).toEqual([name, ["_limit", "_offset"]]);
    }
  });

  it("describes every operation, parameter, body and response", () => {
    for (const { name, summary, parameters, responses } of api.operations) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z].{4}/)]);
      for (const { name: parameter, description } of parameters) {
        expect([name, parameter, description]).toEqual([
          name,
          parameter,
          expect.stringMatching(/^[A-Z1].{4}/),
        ]);
      }
      for (const [status, { description }] of Object.entries(responses)) {
        expect([name, status, description]).toEqual([name, status, expect.stringMatching(/.{5}/)]);
        expect([name, status, description]).not.toEqual([name, status, "Default Response"]);
      }
    }
  });

  it("has a matching example for every body, success and error", () => {
    for (const operation of api.operations) {
      const answers = Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.entries(content).map(([type, media]) => ({
          what: `${status} ${type}`,
          type,
          media,
        })),
      );
      const body = operation.body
        ? [{ what: "body", type: "application/json", media: operation.body }]
        : [];
      for (const { what, type, media } of [...body, ...answers]) {
        if (type !== "application/json") continue;
        const examples = Object.values(media.examples ?? {}).map(({ value }) => value);
        if (media.example !== undefined) examples.push(media.example);
        expect([operation.name, what, examples.length]).not.toEqual([operation.name, what, 0]);
        for (const example of examples) {
          expect([operation.name, what, api.faultsOf(media, example)]).toEqual([
            operation.name,
            what,
            undefined,
          ]);
          if (what < "500" && "errorCode" in (example as object)) {
            expect((example as { message: string }).message).not.toBe("");
          }
        }
      }
    }
  });

  it("describes every field of every record, and gives every record a name", () => {
    const { schemas } = api.json.components;
    for (const [title, schema] of Object.entries<ApiSchema>(schemas)) {
      expect([title, schema.description]).toEqual([title, expect.stringMatching(/^[A-Z].{4}/)]);
      for (const [name, field] of Object.entries<ApiSchema>(schema.properties ?? {})) {
        const { description } = api.resolve(field);
        expect([title, name, description]).toEqual([title, name, expect.stringMatching(/.{4}/)]);
      }
    }
    const nameless = [...listNodes(api.json.paths), ...listNodes(Object.values(schemas))].filter(
      ({ node, depth }) => node.type === "object" && node.properties && depth > 1,
    );
    expect(nameless).toEqual([]);
  });

  it("describes every operation in a sentence", () => {
    for (const { path, method } of api.operations) {
      const described = api.json.paths[`/v1${path}`][method.toLowerCase()];
      expect([path, described.description]).toEqual([path, expect.stringMatching(/.{10}\.$/)]);
    }
  });

  it("lists exactly the error codes that the gateway returns", () => {
    const { ErrorCode, FailureCode, ErrorBody, TransactionError } = api.json.components.schemas;
    expect(ErrorBody.properties.errorCode.$ref).toContain("ErrorCode");
    expect(TransactionError.properties.code.$ref).toContain("FailureCode");
    expect(FailureCode.enum).toEqual([...FAILURE_CODES, ...OTHER_FAILURE_CODES]);
    for (const { responses } of api.operations) {
      for (const status of ERRORS) {
        const media = responses[status]!.content["application/json"]!;
        const examples = Object.values(media.examples ?? { one: { value: media.example } });
        for (const { value } of examples) {
          expect(ErrorCode.enum).toContain((value as { errorCode: string }).errorCode);
        }
      }
    }
  });

  it("distinguishes FIXED and RANGE offers by priceType, each with its amounts", async () => {
    for (const [family, record] of [
      ["topups", "TopupOffer"],
      ["vouchers", "VoucherOffer"],
      ["billpay", "BillPayOffer"],
    ]) {
      const { oneOf, discriminator } = api.json.components.schemas[record!];
      expect(discriminator.propertyName).toBe("priceType");
      expect(Object.values(discriminator.mapping)).toEqual(oneOf.map((one: ApiSchema) => one.$ref));
      const operation = api.get(`GET /v1/${family}/offers`);
      for (let offset = 0, total = 1; offset < total; offset += 1024) {
        const page = await till.v1("GET", `/${family}/offers?_limit=1024&_offset=${offset}`);
        total = page.body.total;
        expect(api.faultsOfAnswer(operation, page)).toBeUndefined();
      }
    }
  });

  it("contains the webhooks, whose bodies equal the GET responses of the records", () => {
    const { webhooks } = api.json;
    expect(Object.keys(webhooks)).toHaveLength(11);
    for (const [name, { post }] of Object.entries<ApiSchema>(webhooks)) {
      const { schema, example } = post.requestBody.content["application/json"];
      const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`;
      expect([name, api.faultsOf({ schema, pointer }, example)]).toEqual([name, undefined]);
      const headers = post.parameters.map((header: ApiSchema) => header.name);
      expect(headers.slice(0, 3)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
      expect(headers.slice(3)).toEqual(["webhook-kind", "webhook-sample"]);
    }
  });

  it("marks responses that have an entity tag", async () => {
    for (const { name, method, path, responses } of api.operations) {
      if (method !== "GET") continue;
      const isCatalog = /^\/(topups|vouchers|esim|billpay)\/offers(?!.*bill$)|^\/(brands|promos)/;
      expect([name, "304" in responses]).toEqual([name, isCatalog.test(path)]);
    }
    const { headers } = await till.v1("GET", "/brands/TIGO");
    const named = Object.keys(api.get("GET /v1/brands/{brand}").responses[200]!.headers);
    expect(named.filter((header) => !headers.has(header))).toEqual([]);
  });

  it("defines each record once", () => {
    const text = JSON.stringify(api.json.paths);
    expect(text).not.toContain('"title"');
    expect(Object.keys(api.json.components.schemas)).toContain("TopupPurchase");
  });
});

describe("the description of /sandbox/v1", () => {
  it("contains every operation of a sandbox, without 401, and with examples", async () => {
    const app = fastify();
    await registerSandboxRoutes(app, {} as never);
    await app.ready();
    const served = routesOf(app.printRoutes({ commonPrefix: false }));
    await app.close();
    const described = api.sandboxOperations.map(({ name }) => name);
    expect(described.sort()).toEqual(served.filter((name) => !name.startsWith("HEAD ")).sort());
    const errors = ERRORS.filter((status) => status !== "401");
    for (const { name, tags, summary, body, responses } of api.sandboxOperations) {
      expect([name, tags, summary]).toEqual([name, ["Sandbox"], expect.stringMatching(/^[A-Z]/)]);
      expect([name, Object.keys(responses).sort()]).toEqual([name, ["200", ...errors]]);
      const { example } = responses[200]!.content["application/json"]!;
      expect([name, api.faultsOf(responses[200]!.content["application/json"]!, example)]).toEqual([
        name,
        undefined,
      ]);
      for (const { value } of Object.values(body?.examples ?? {})) {
        expect([name, api.faultsOf(body!, value)]).toEqual([name, undefined]);
      }
    }
  });
});

describe("the request examples", () => {
  it("succeed in the sandbox", async () => {
    for (const { name, method, path, body } of api.operations) {
      for (const [example, { value }] of Object.entries(body?.examples ?? {})) {
        const answer = await till.v1(method, path, value);
        expect([name, example, answer.status, answer.body.fields]).toEqual([
          name,
          example,
          200,
          undefined,
        ]);
      }
    }
    await till.advance(SECOND);
    await till.expectCleanBooks();
  });
});

describe("the page at /docs/api", () => {
  it("loads files only from the gateway, under its own content security policy", async () => {
    const page = await till.call("GET", "/docs/api");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(page.headers.get("content-security-policy")).not.toContain("https:");
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    expect((await till.call("GET", "/docs/api/json")).body).toEqual(api.json);
  });

  it("refuses a foreign host name, as all pages do", async () => {
    const foreign = { headers: { origin: "https://evil.example" } };
    expect((await till.call("GET", "/docs/api", foreign)).status).toBe(403);
    expect((await till.call("GET", "/docs/api/json", foreign)).status).toBe(403);
  });
});

function listNodes(node: ApiSchema, depth = 0): { node: ApiSchema; depth: number }[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.entries<ApiSchema>(node).flatMap(([key, value]) =>
    /^examples?$/.test(key) ? [] : listNodes(value, depth + 1),
  );
  return [{ node, depth }, ...inner];
}

function routesOf(tree: string): string[] {
  const parts: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const match = /^([│├└─\s]*)(\S.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) return [];
    const [, indent = "", part = "", methods] = match;
    const depth = indent.length / 4;
    parts.length = Math.max(depth - 1, 0);
    parts.push(part);
    const path = parts.join("").replace(/:(\w+)/g, "{$1}");
    return methods ? methods.split(", ").map((method) => `${method} ${path}`) : [];
  });
}

describe("live responses", () => {
  beforeAll(async () => {
    const buy = (transactionId: string, number: string, more = {}) =>
      till.v1("POST", "/topups/purchases", {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId,
        recipientPhoneNumber: number,
        ...more,
      });
    await buy("done", "+50251234567", { sender: { country: "US" } });
    await buy("refused", "+50251239001");
    await buy("waiting", "+50251239004");
    const value = { type: "COST", value: 500 };
    await buy("range", "+971501234567", { offerId: "DU_AE_TOPUP_RANGE", value });
    await till.advance(SECOND);
  });

  const PAGE = "?_limit=1024&_offset=0";
  const BODY = {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId: "described",
    recipientPhoneNumber: "+50251234567",
  };
  const PERIOD = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
  it.each<[string, string, number, unknown?]>([
    ["GET /v1/balance", "/balance", 200],
    ["GET /v1/topups/offers", `/topups/offers${PAGE}`, 200],
    ["GET /v1/topups/offers", "/topups/offers?_limit=0", 400],
    ["GET /v1/topups/offers/{offerId}", "/topups/offers/DU_AE_TOPUP_RANGE", 200],
    ["GET /v1/topups/offers/{offerId}", "/topups/offers/NONE", 404],
    ["GET /v1/topups/purchases", `/topups/purchases${PAGE}`, 200],
    ["POST /v1/topups/purchases", "/topups/purchases", 200, BODY],
    ["POST /v1/topups/purchases", "/topups/purchases", 400, { ...BODY, transactionId: "done" }],
    ["GET /v1/topups/purchases/{transactionId}", "/topups/purchases/done", 200],
    ["GET /v1/topups/purchases/{transactionId}", "/topups/purchases/range", 200],
    ["GET /v1/topups/purchases/{transactionId}", "/topups/purchases/refused", 200],
    ["GET /v1/topups/purchases/{transactionId}", "/topups/purchases/none", 404],
    ["GET /v1/transactions", `/transactions${PAGE}`, 200],
    ["GET /v1/transactions/{transactionId}", "/transactions/waiting", 200],
    ["GET /v1/transactions/{transactionId}", "/transactions/none", 404],
    ["GET /v1/tools/phonenumberlookup/{msisdn}", "/tools/phonenumberlookup/+50231234567", 200],
    ["GET /v1/tools/phonenumberlookup/{msisdn}", "/tools/phonenumberlookup/+50221234567", 400],
    ["POST /v1/reports/transactions", "/reports/transactions", 200, PERIOD],
    ["POST /v1/reports/transactions", "/reports/transactions", 400, { ...PERIOD, endLt: "x" }],
    ["GET /v1/reports/transactions/{reportId}", "/reports/transactions/none", 404],
    ["GET /v1/reports/transactions/{reportId}/{file}", "/reports/transactions/none/x", 404],
  ])("match the description: %s (%s) %d", async (name, path, status, body) => {
    const answer = await till.v1(name.split(" ")[0] ?? "", path, body);
    expect(answer.status).toBe(status);
    expect(api.faultsOfAnswer(api.get(name), answer)).toBeUndefined();
  });

  it("match the description for a report that is Ready or FAILED, and for its file", async () => {
    const path = "/reports/transactions";
    const operation = api.get(`GET /v1${path}/{reportId}`);
    const directory = join(till.dataDir, "reports");
    for (const status of ["Ready", "FAILED"]) {
      if (status === "FAILED") {
        rmSync(directory, { recursive: true });
        writeFileSync(directory, "in the way");
      }
      const { reportId } = (await till.v1("POST", path, PERIOD)).body;
      await till.settle();
      const answer = await till.v1("GET", `${path}/${reportId}`);
      expect(answer.body.status).toBe(status);
      expect(api.faultsOfAnswer(operation, answer)).toBeUndefined();
    }
    const { content } = api.get(`GET /v1${path}/{reportId}/{file}`).responses[200]!;
    expect(Object.keys(content)).toEqual(["application/octet-stream"]);
    const file = content["application/octet-stream"];
    expect(file?.schema).toMatchObject({ type: "string", format: "binary" });
  });

  it("have the described headers", async () => {
    const operation = api.get("GET /v1/balance");
    for (const [status, answer] of [
      [200, await till.v1("GET", "/balance")],
      [401, await till.call("GET", "/v1/balance")],
      [405, await till.call("DELETE", "/v1/balance")],
    ] as const) {
      expect(answer.status).toBe(status);
      const named = Object.keys(operation.responses[status]!.headers);
      expect(named).toContain("x-request-id");
      expect([status, named.filter((name) => !answer.headers.has(name))]).toEqual([status, []]);
    }
    const { headers } = operation.responses[429]!;
    expect(Object.keys(headers)).toContain("Retry-After");
  });

  it("match the description in every operation if the key is missing", async () => {
    for (const operation of api.operations) {
      const path = operation.path.replace(/\{\w+\}/g, "x");
      const answer = await till.call(operation.method, `/v1${path}`);
      expect(answer.status).toBe(401);
      expect(api.faultsOfAnswer(operation, answer)).toBeUndefined();
    }
  });
});

describe("docs/openapi.json", () => {
  it("equals the description that the gateway serves", () => {
    const file = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(api.json);
  });

  it("passes the repository's check of the file", { tags: ["thorough"] }, () => {
    const script = fileURLToPath(new URL("dump-openapi.ts", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
