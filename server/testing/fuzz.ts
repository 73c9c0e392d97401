import { Agent, request as send } from "node:http";
import fc from "fast-check";
import { SECOND } from "../lib/clock.ts";
import {
  type ApiDocument,
  type ApiOperation,
  type ApiSchema,
  readApiDocument,
} from "./api-document.ts";
import { digestDatabase } from "./database-digest.ts";
import { type FuzzRequest, requestsOf } from "./fuzz-requests.ts";
import type { Pools } from "./fuzz-values.ts";
import { type Answer, startTestGateway, type TestGateway } from "./test-gateway.ts";

/** Number of requests between two database digests. */
const WRITING_BATCH = 5;
const READING_BATCH = 100;

/** Fields whose rules no schema can express: a date such as 30 February is invalid. */
const BEYOND_SCHEMAS = new Set(["createdAt", "updatedAt", "startGte", "endLt"]);

export interface FuzzReport {
  /** Number of responses by operation and status, such as `GET /v1/balance 200`. */
  answered: Map<string, number>;
  /** Number of batches without an accepted request and without a change of the database. */
  batchesWithoutTrace: number;
}

/**
 * Sends valid and invalid requests over real HTTP, generated from the description of `/v1`, and
 * compares every response with this description.
 * @throws Error with the seed and the request, at the first response that deviates
 */
export async function fuzz(requests: number, seed: number): Promise<FuzzReport> {
  const till = await startTestGateway();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await till.call("GET", "/v1/balance", { headers: { authorization: "Bearer test_unknown" } });
    await till.settle();
    const api = await readApiDocument(till);
    const pools = await buyOneOfEach(till, api);
    const all = fc.sample(requestsOf(api, pools), { numRuns: requests, seed });
    const report: FuzzReport = { answered: new Map(), batchesWithoutTrace: 0 };

    async function sendAll(batch: readonly FuzzRequest[]): Promise<boolean> {
      let anyLetThrough = false;
      for (const request of batch) {
        const wire = toWire(till, api.get(request.operation), request);
        const answer = await sendWire(till, agent, wire);
        const fault = faultOf(api, request, wire, answer);
        if (fault !== undefined) throw new Error(explain(seed, fault, request, wire, answer));
        const key = `${request.operation} ${answer.status}`;
        report.answered.set(key, (report.answered.get(key) ?? 0) + 1);
        anyLetThrough ||= writes(request) && answer.status === 200;
      }
      await till.settle();
      return anyLetThrough;
    }

    const [writing, others] = [all.filter(mayWrite), all.filter((request) => !mayWrite(request))];
    const batches = [...split(writing, WRITING_BATCH), ...split(others, READING_BATCH)];
    let before = await digestDatabase(till.gateway.context.db);
    for (const batch of batches) {
      const anyLetThrough = await sendAll(batch);
      if (anyLetThrough) await till.advance(SECOND);
      const after = await digestDatabase(till.gateway.context.db);
      const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
      if (!anyLetThrough && changed.length > 0) {
        throw new Error(
          `seed ${seed}: ${changed} changed by one of ${JSON.stringify(batch, null, 1)}`,
        );
      }
      if (!anyLetThrough) report.batchesWithoutTrace += 1;
      before = after;
    }
    await till.expectCleanBooks();
    return report;
  } finally {
    agent.destroy();
    await till.close();
  }
}

/** Returns whether a request writes if it succeeds. Retrieving a bill stores the bill. */
function writes({ method, operation }: FuzzRequest): boolean {
  return method === "POST" || operation === "GET /v1/billpay/offers/{offerId}/bill";
}

function mayWrite(request: FuzzRequest): boolean {
  return writes(request) && !request.mustBeRefused;
}

function split<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_none, n) => items.slice(n * size, (n + 1) * size));
}

interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

function toWire(till: TestGateway, operation: ApiOperation, request: FuzzRequest): Wire {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encode(String(request.params[name])),
  );
  const query = request.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  const body =
    request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const headers: Record<string, string> = {
    host: new URL(till.url).host,
    authorization: `Bearer ${till.key("test")}`,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...request.headers,
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
  };
  for (const [name, value] of Object.entries(headers)) {
    if (value === "") delete headers[name];
    else headers[name] = Buffer.from(value, "utf8").toString("latin1");
  }
  return { method: request.method, path: `/v1${path}${query && `?${query}`}`, headers, body };
}

/**
 * Percent-encodes a text. Replaces an unpaired surrogate by the bytes that a careless client sends.
 */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

function sendWire(till: TestGateway, agent: Agent, wire: Wire): Promise<Answer> {
  const { hostname, port } = new URL(till.url);
  const { method, path, headers, body } = wire;
  return new Promise((resolve, reject) => {
    const sent = send({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson = response.headers["content-type"]?.includes("json");
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: isJson ? JSON.parse(text) : text,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function faultOf(
  api: ApiDocument,
  request: FuzzRequest,
  wire: Wire,
  answer: Answer,
): string | undefined {
  const operation = api.get(request.operation);
  const { status, headers, body } = answer;
  if (status === 500) return "an internal error";
  if (!headers.has("x-request-id")) return "no x-request-id";
  const faults = api.faultsOfAnswer(operation, answer);
  if (faults !== undefined) return `not as described: ${JSON.stringify(faults)}`;
  if (request.mustBeRefused && status < 400) return "let through";
  if (status < 400) return undefined;
  if (!codesOf(operation, status).has(body.errorCode)) return `${body.errorCode} is not described`;
  if (body.errorCode !== "INVALID_REQUEST") return undefined;
  const names = Object.keys(body.fields);
  if (request.faults.length === 0 && !names.some((name) => BEYOND_SCHEMAS.has(name))) {
    return "refused, though it is as described";
  }
  const unknown = names.filter((name) => !isNamed(api, operation, wire, name));
  return unknown.length > 0 ? `names what nobody sent: ${unknown.join()}` : undefined;
}

function codesOf(operation: ApiOperation, status: number): Set<unknown> {
  const { example, examples = {} } = operation.responses[status]?.content["application/json"] ?? {};
  const shown = [example, ...Object.values(examples).map(({ value }) => value)];
  return new Set(shown.map((sample) => (sample as { errorCode?: string } | undefined)?.errorCode));
}

function isNamed(api: ApiDocument, operation: ApiOperation, wire: Wire, name: string): boolean {
  // A refusal cannot name a parameter of a path that cannot be decoded.
  if (
    name === "body" ||
    name === "path" ||
    operation.parameters.some((parameter) => parameter.name === name)
  ) {
    return true;
  }
  const parts = name.split(".").filter((part) => !/^\d+$/.test(part));
  const sent = `${decodeURIComponent(wire.path.replace(/%ED%A0%80|%(?![0-9A-F]{2})/gi, ""))} ${wire.body} ${JSON.stringify(wire.headers)}`;
  const described = textOf(api, operation.body?.schema ?? {});
  return parts.every((part) => {
    const written = JSON.stringify(part).slice(1, -1);
    return sent.includes(part) || sent.includes(written) || described.includes(`"${part}"`);
  });
}

function textOf(api: ApiDocument, schema: ApiSchema): string {
  const followed = new Set<string>();
  return JSON.stringify(schema, (_name, value) => {
    const isNew = typeof value?.$ref === "string" && !followed.has(value.$ref);
    if (isNew) followed.add(value.$ref);
    return isNew ? api.resolve(value) : value;
  });
}

function explain(
  seed: number,
  fault: string,
  request: FuzzRequest,
  wire: Wire,
  answer: Answer,
): string {
  const { method, path, headers, body } = wire;
  const shown = { ...headers, authorization: headers.authorization?.slice(0, 12) };
  return [
    `seed ${seed}: ${request.operation}: ${fault}`,
    `done to it: ${request.faults.join("; ") || "nothing"}`,
    `${method} ${path.slice(0, 500)}`,
    JSON.stringify(shown),
    body?.slice(0, 1_000) ?? "",
    `→ ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 1_000)}`,
  ].join("\n");
}

async function buyOneOfEach(till: TestGateway, api: ApiDocument): Promise<Pools> {
  const transactionIds: string[] = [];
  const offerIds: unknown[] = ["DU_AE_TOPUP_RANGE"];
  for (const { name, path, body } of api.operations) {
    if (!name.startsWith("POST ") || !path.endsWith("/purchases")) continue;
    const [sample] = Object.values(body?.examples ?? {});
    const transactionId = `fuzz${path.replaceAll("/", "-")}`;
    const input = { ...(sample?.value as { offerId: string }), transactionId };
    const answer = await till.v1("POST", path, input);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    transactionIds.push(transactionId);
    offerIds.push(input.offerId);
    if (path !== "/esim/purchases") continue;
    // The simulator uses this eSIM at once. A used eSIM cannot be refunded, and keeps its QR code.
    transactionIds.push("fuzz-esim-9008");
    await till.v1("POST", path, { offerId: input.offerId, transactionId: "fuzz-esim-9008" });
  }
  const period = { startGte: "2026-01-01T00:00:00Z", endLt: "2026-02-01T00:00:00Z" };
  const report = (await till.v1("POST", "/reports/transactions", period)).body;
  await till.advance(SECOND);
  const ready = (await till.v1("GET", `/reports/transactions/${report.reportId}`)).body;
  const esim = (await till.v1("GET", "/esim/purchases/fuzz-esim-purchases")).body;
  const promos = (await till.v1("GET", "/promos?_limit=3&_offset=0")).body;
  return {
    offerId: offerIds,
    transactionId: transactionIds,
    iccId: [esim.confirmation.iccid],
    iccid: [esim.confirmation.iccid],
    brand: ["TIGO", "ESKOM", "AIRALO"],
    country: ["GT", "ZA"],
    promoId: promos.list.map(({ id }: { id: string }) => id),
    createdAt: ["2026-01-15T09:30:00.000Z", "gte2026-01-15T00:00:00Z", "lt2027-01-01T00:00:00.5Z"],
    updatedAt: ["2026-01-15T09:30:00.000Z", "lte2027-01-01T00:00:00Z"],
    startGte: ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"],
    endLt: ["2026-02-01T00:00:00Z", "2026-02-01T00:00:00.001Z"],
    deliveryType: ["TOKEN"],
    msisdn: ["+50231234567", "+50251234567", "+15551234567"],
    reportId: ready.reportId ? [ready.reportId] : [],
    file: ready.file ? [ready.file.name] : [],
    _limit: [1, 2, 3],
    _offset: [0, 1],
  };
}
