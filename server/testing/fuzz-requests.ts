import fc, { type Arbitrary } from "fast-check";
import type { ApiDocument, ApiOperation, ApiSchema } from "./api-document.ts";
import { ODD_TEXTS, ODD_VALUES, type Pools, validValues } from "./fuzz-values.ts";

export interface FuzzRequest {
  operation: string;
  method: string;
  params: Record<string, unknown>;
  /** Query parameters in the order of the request. A name may repeat. */
  query: [name: string, value: string][];
  body: unknown;
  rawBody?: string;
  headers: Record<string, string>;
  faults: string[];
  /** True if the gateway must refuse the request. */
  mustBeRefused: boolean;
}

type Fault = (request: FuzzRequest, about: ApiOperation) => Arbitrary<FuzzRequest | undefined>;

/** Generates requests for all operations: a third valid, the others with one or two defects. */
export function requestsOf(api: ApiDocument, pools: Pools): Arbitrary<FuzzRequest> {
  return fc.constantFrom(...api.operations).chain((operation) => {
    const faults = fc.oneof(
      { arbitrary: fc.constant([]), weight: 1 },
      {
        arbitrary: fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 2 }),
        weight: 2,
      },
    );
    return faults.chain((chosen) =>
      chosen.reduce<Arbitrary<FuzzRequest>>(
        (request, fault) =>
          // A request that must be refused gets no second defect, because that could correct the
          // first.
          request.chain((valid) =>
            valid.mustBeRefused
              ? fc.constant(valid)
              : fault(valid, operation).map((changed) => changed ?? valid),
          ),
        validRequests(api, operation, pools),
      ),
    );
  });
}

function validRequests(api: ApiDocument, operation: ApiOperation, pools: Pools) {
  const { parameters, body, name, method } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const samples = Object.values(body?.examples ?? {}).map(({ value }) => value as object);
  const bodies = body
    ? fc.oneof(
        validValues(api, body.schema, pools),
        fc.tuple(fc.constantFrom(...samples), fc.uuid()).map(([sample, transactionId]) => ({
          ...sample,
          ...("transactionId" in sample && { transactionId }),
        })),
      )
    : fc.constant(undefined);
  return fc
    .record({
      params: fc.record(valuesOf(api, inPath, pools)),
      query: fc.record(valuesOf(api, inQuery, pools), {
        requiredKeys: inQuery.filter(({ required }) => required).map((parameter) => parameter.name),
      }),
      body: bodies,
    })
    .map(
      ({ params, query, body }): FuzzRequest => ({
        operation: name,
        method,
        params,
        query: Object.entries(query).map(([key, value]) => [key, String(value)]),
        body,
        headers: {},
        faults: [],
        mustBeRefused: false,
      }),
    );
}

function valuesOf(api: ApiDocument, parameters: ApiOperation["parameters"], pools: Pools) {
  return Object.fromEntries(
    parameters.map(({ name, schema }) => [name, validValues(api, schema, pools, name)]),
  );
}

function addDefect(
  request: FuzzRequest,
  fault: string,
  changes: Partial<FuzzRequest>,
): FuzzRequest {
  return { ...request, ...changes, faults: [...request.faults, fault] };
}

const NOTHING = fc.constant(undefined);

const FAULTS: readonly Fault[] = [
  dropParameter,
  dropField,
  replaceParameter,
  replacePathPart,
  replaceField,
  addParameter,
  addField,
  repeatParameter,
  sendNumbersOutOfRange,
  useWrongMethod,
  sendBadKey,
  sendWrongContentType,
  sendBrokenBody,
  comeFromElsewhere,
];

function dropParameter(request: FuzzRequest, about: ApiOperation) {
  const required = about.parameters.filter((p) => p.in === "query" && p.required);
  if (required.length === 0) return NOTHING;
  return fc.constantFrom(...required).map(({ name }) =>
    addDefect(request, `${name} left out`, {
      query: request.query.filter(([key]) => key !== name),
      mustBeRefused: true,
    }),
  );
}

function dropField(request: FuzzRequest) {
  if (!isObject(request.body) || Object.keys(request.body).length === 0) return NOTHING;
  return fc.constantFrom(...Object.keys(request.body)).map((field) => {
    const { [field]: _gone, ...body } = request.body as Record<string, unknown>;
    return addDefect(request, `${field} left out`, { body });
  });
}

function replaceParameter(request: FuzzRequest) {
  if (request.query.length === 0) return NOTHING;
  const position = fc.nat({ max: request.query.length - 1 });
  return fc.tuple(position, fc.constantFrom(...ODD_TEXTS)).map(([at, text]) =>
    addDefect(request, `${request.query[at]?.[0]} is ${JSON.stringify(text)}`.slice(0, 60), {
      query: request.query.map(([name, value], n) => [name, n === at ? text : value]),
    }),
  );
}

function replacePathPart(request: FuzzRequest) {
  const names = Object.keys(request.params);
  if (names.length === 0) return NOTHING;
  // Excludes empty texts: the gateway ignores a trailing slash, so the path would match another
  // operation.
  const texts = fc
    .oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: "binary" }))
    .filter((text) => text !== "");
  return fc.tuple(fc.constantFrom(...names), texts).map(([name, text]) =>
    addDefect(request, `${name} is ${JSON.stringify(text)}`.slice(0, 60), {
      params: { ...request.params, [name]: text },
    }),
  );
}

function replaceField(request: FuzzRequest) {
  const paths = pathsOf(request.body);
  if (paths.length === 0) return NOTHING;
  const values = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.anything());
  return fc.tuple(fc.constantFrom(...paths), values).map(([path, value]) =>
    addDefect(request, `${path.join(".")} is ${String(JSON.stringify(value))}`.slice(0, 60), {
      body: withValue(request.body, path, value),
    }),
  );
}

function addParameter(request: FuzzRequest) {
  const names = fc.constantFrom("page", "_Limit", "limit[]", "__proto__", "é", "sort");
  return names.map((name) =>
    addDefect(request, `unknown parameter ${name}`, {
      query: [...request.query, [name, "1"]],
      mustBeRefused: true,
    }),
  );
}

function addField(request: FuzzRequest) {
  if (!isObject(request.body)) return NOTHING;
  const names = fc.constantFrom("note", "TransactionId", "amount", "price", "é");
  return fc.tuple(names, fc.constantFrom(...ODD_VALUES)).map(([name, value]) =>
    addDefect(request, `unknown field ${name}`, {
      body: { ...(request.body as object), [name]: value },
      mustBeRefused: true,
    }),
  );
}

function repeatParameter(request: FuzzRequest) {
  if (request.query.length === 0) return NOTHING;
  return fc.constantFrom(...request.query).map((pair) =>
    addDefect(request, `${pair[0]} twice`, {
      query: [...request.query, pair],
      mustBeRefused: true,
    }),
  );
}

function sendNumbersOutOfRange(request: FuzzRequest, about: ApiOperation) {
  const numbers = about.parameters.filter(({ schema }) => schema.type === "integer");
  if (numbers.length === 0) return NOTHING;
  return fc.constantFrom(...numbers).chain(({ name, schema }) => {
    const outside = [schema.minimum - 1, schema.maximum + 1, 1.5, "1e2", 2 ** 60].map(String);
    return fc.constantFrom(...outside).map((text) =>
      addDefect(request, `${name} is ${text}`, {
        query: request.query.map(([key, value]) => [key, key === name ? text : value]),
        mustBeRefused: request.mustBeRefused || request.query.some(([key]) => key === name),
      }),
    );
  });
}

function useWrongMethod(request: FuzzRequest) {
  return fc
    .constantFrom("PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND")
    .map((method) => addDefect(request, method, { method, mustBeRefused: true }));
}

function sendBadKey(request: FuzzRequest) {
  const headers = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Basic dGVzdDp0ZXN0",
    "bearer a b",
    "Token é",
  ];
  return fc.constantFrom(...headers, `Bearer ${"k".repeat(300)}`).map((authorization) =>
    addDefect(request, `Authorization: ${authorization.slice(0, 30)}`, {
      headers: { ...request.headers, authorization },
      mustBeRefused: true,
    }),
  );
}

function sendWrongContentType(request: FuzzRequest) {
  if (request.body === undefined) return NOTHING;
  const types = ["text/plain", "application/xml", "multipart/form-data", "x", ""];
  return fc.constantFrom(...types).map((type) =>
    addDefect(request, `content type ${type}`, {
      headers: { ...request.headers, "content-type": type },
      mustBeRefused: true,
    }),
  );
}

function sendBrokenBody(request: FuzzRequest) {
  if (request.body === undefined) return NOTHING;
  const text = JSON.stringify(request.body);
  const bodies = [
    "",
    "{",
    "null",
    "[]",
    '"text"',
    text.slice(0, -1),
    `${text}x`,
    text.replace("{", '{"__proto__":{"x":1},'),
    `{"offerId":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    JSON.stringify({ offerId: "x".repeat(70_000) }),
  ];
  return fc
    .constantFrom(...bodies)
    .map((rawBody) =>
      addDefect(request, `body ${rawBody.slice(0, 30)}`, { rawBody, mustBeRefused: true }),
    );
}

function comeFromElsewhere(request: FuzzRequest) {
  const foreign = [
    { host: "evil.example" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ];
  return fc.constantFrom(...foreign).map((headers) =>
    addDefect(request, JSON.stringify(headers), {
      headers: { ...request.headers, ...headers },
      mustBeRefused: true,
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pathsOf(value: ApiSchema, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return path.length === 0 ? [] : [path];
  const inner = Object.keys(value).flatMap((key) => pathsOf(value[key], [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function withValue(target: ApiSchema, [key = "", ...rest]: string[], value: unknown): unknown {
  const copy = Array.isArray(target) ? [...target] : { ...target };
  copy[key] = rest.length === 0 ? value : withValue(target[key], rest, value);
  return copy;
}
