import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "../app.ts";
import { SECOND } from "../lib/clock.ts";
import { type Answer, startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/** The description of `/v1` is what integrators build on: complete, and true of every answer. */
interface Operation {
  operationId: string;
  security?: unknown;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

let till: TestGateway;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  security: unknown;
  components: { securitySchemes: Record<string, object> };
};

beforeAll(async () => {
  till = await startTestGateway();
  document = (await till.call("GET", "/v1/openapi.json")).body;
});
afterAll(() => till.close());

/** Spec §4, as far as this version serves it. */
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
  "GET /v1/promos",
  "GET /v1/promos/{promoId}",
  "GET /v1/transactions",
  "GET /v1/transactions/{transactionId}",
];

function operations(): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

describe("the description", () => {
  it("needs no key, names the key that operations need, and is OpenAPI 3.1", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.components.securitySchemes).toEqual({
      ApiKey: { type: "http", scheme: "bearer" },
    });
    expect(document.security).toEqual([{ ApiKey: [] }]);
  });

  it("holds every operation that is served under /v1, and nothing of the till", async () => {
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual([...OPERATIONS].sort());
    const app = await buildApp(till.gateway.context);
    await app.ready();
    const routes = routesOf(app.printRoutes({ commonPrefix: false }));
    await app.close();
    const served = routes.filter((route) => / \/v1\//.test(route) && !route.startsWith("HEAD "));
    const pictures = "GET /v1/brands/{brand}/{picture}";
    const described = [...OPERATIONS, "GET /v1/openapi.json", pictures];
    expect(served.sort()).toEqual(described.sort());
  });

  it("asks for the key in every operation, and states every error it can have", () => {
    const errors = ["400", "401", "403", "404", "405", "413", "415", "429", "500", "503"];
    for (const [name, operation] of operations()) {
      expect([name, operation.security]).toEqual([name, undefined]);
      expect([name, Object.keys(operation.responses).sort()]).toEqual([name, ["200", ...errors]]);
      for (const status of errors) {
        const schema = operation.responses[status]?.content["application/json"]?.schema;
        expect(schema).toMatchObject({ required: ["errorCode", "message", "fields"] });
      }
    }
  });

  it("gives each operation a name of its own, and says which parameters are required", () => {
    const names = operations().map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(OPERATIONS.length);
    const lists = ["/v1/topups/offers", "/v1/vouchers/offers", "/v1/topups/purchases"];
    for (const path of [...lists, "/v1/vouchers/purchases", "/v1/brands", "/v1/promos"]) {
      const parameters = document.paths[path]?.get?.parameters ?? [];
      const required = parameters.filter((p) => p.required).map(({ name }) => name);
      expect(required.sort()).toEqual(["_limit", "_offset"]);
    }
    expect(document.paths["/v1/topups/purchases"]?.post?.requestBody?.required).toBe(true);
  });
});

/** The routes of Fastify's tree, as `METHOD /path/{parameter}`. */
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

describe("what is answered", () => {
  const compiled = new Map<string, ValidateFunction>();

  /** The faults of an answer by the description's own schema. */
  function faultsOf(name: string, answer: Answer): unknown {
    const [method = "", path = ""] = name.split(" ");
    const operation = document.paths[path]?.[method.toLowerCase()];
    const schema = operation?.responses[answer.status]?.content["application/json"]?.schema;
    if (!schema) return `${name} does not describe ${answer.status}`;
    const id = `${name} ${answer.status}`;
    const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false }));
    const validate = compiled.get(id) ?? ajv.compile(schema);
    compiled.set(id, validate);
    return validate(answer.body) ? undefined : validate.errors;
  }

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
  ])("by %s (%s) is as it is described: %d", async (name, path, status, body) => {
    const answer = await till.v1(name.split(" ")[0] ?? "", path, body);
    expect(answer.status).toBe(status);
    expect(faultsOf(name, answer)).toBeUndefined();
  });

  it("without a key is as it is described, everywhere", async () => {
    for (const [name] of operations()) {
      const [method = "", path = ""] = name.split(" ");
      const answer = await till.call(method, path.replace(/\{\w+\}/, "x"));
      expect(answer.status).toBe(401);
      expect(faultsOf(name, answer)).toBeUndefined();
    }
  });
});

describe("docs/openapi.json", () => {
  it("is what the gateway serves", () => {
    const file = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(document);
  });

  it("is found current by its own check", () => {
    const script = fileURLToPath(new URL("dump-openapi.ts", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
