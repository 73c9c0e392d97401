import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Answer, TestGateway } from "./test-gateway.ts";

/** A JSON schema of the API description. References are resolved relative to the document. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever is described.
export type ApiSchema = any;

interface ApiParameter {
  name: string;
  in: "query" | "path";
  required: boolean;
  description: string;
  example?: unknown;
  schema: ApiSchema;
}

interface ApiMedia {
  schema?: ApiSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
  pointer: string;
}

interface ApiResponse {
  description: string;
  headers: Record<string, object>;
  content: Record<string, ApiMedia>;
}

export interface ApiOperation {
  /** Method and path, such as `GET /v1/topups/offers/{offerId}`. */
  name: string;
  method: string;
  path: string;
  operationId: string;
  tags: string[];
  summary: string;
  parameters: ApiParameter[];
  body: ApiMedia | undefined;
  responses: Record<string, ApiResponse>;
  security: unknown;
}

export interface ApiDocument {
  readonly json: ApiSchema;
  /** Operations of `/v1`. */
  readonly operations: readonly ApiOperation[];
  /** Operations of `/sandbox/v1`. */
  readonly sandboxOperations: readonly ApiOperation[];
  get(name: string): ApiOperation;
  /** Resolves a schema that is a reference; returns other schemas unchanged. */
  resolve(schema: ApiSchema): ApiSchema;
  faultsOf(media: ApiMedia, value: unknown): unknown;
  faultsOfAnswer(operation: ApiOperation, answer: Answer): unknown;
}

export async function readApiDocument(till: TestGateway): Promise<ApiDocument> {
  const json: ApiSchema = (await till.call("GET", "/v1/openapi.json")).body;
  const ajv = addFormats.default(
    new Ajv2020({ allErrors: true, strict: false, validateSchema: false }),
  );
  ajv.addSchema(json, "api");
  const compiled = new Map<string, ValidateFunction>();
  const all = readOperations(json);
  const [operations, sandboxOperations] = ["/v1/", "/sandbox/v1/"].map((prefix) =>
    all.filter(({ name }) => name.includes(` ${prefix}`)),
  ) as [ApiOperation[], ApiOperation[]];

  function faultsOf({ pointer }: ApiMedia, value: unknown): unknown {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? undefined : validate.errors;
  }

  return {
    json,
    operations,
    sandboxOperations,
    faultsOf,
    get(name) {
      const found = all.find((operation) => operation.name === name);
      if (!found) throw new Error(`${name} is not described`);
      return found;
    },
    resolve: (schema) => atPointer(json, schema),
    faultsOfAnswer({ name, responses }, answer) {
      const response = responses[answer.status];
      if (!response) return `${name} does not describe ${answer.status}`;
      const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "none";
      const media = response.content[type];
      if (!media) return `${name} does not describe ${type} with ${answer.status}`;
      return type === "application/json" ? faultsOf(media, answer.body) : undefined;
    },
  };
}

function atPointer(json: ApiSchema, node: ApiSchema): ApiSchema {
  if (typeof node?.$ref !== "string") return node;
  return node.$ref
    .slice(2)
    .split("/")
    .reduce((at: ApiSchema, part: string) => at[part], json);
}

function readOperations(json: ApiSchema): ApiOperation[] {
  return Object.entries<ApiSchema>(json.paths).flatMap(([path, methods]) =>
    Object.entries<ApiSchema>(methods).map(([method, described]) => {
      const pointer = `/paths/${escapePart(path)}/${method}`;
      const responses = Object.entries<ApiSchema>(described.responses).map(([status, response]) => {
        const at: string = response.$ref?.slice(1) ?? `${pointer}/responses/${status}`;
        const { content = {}, ...rest } = atPointer(json, response);
        return [status, { ...rest, content: readContent(content, `${at}/content`) }] as const;
      });
      const body = readContent(
        described.requestBody?.content ?? {},
        `${pointer}/requestBody/content`,
      );
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: path.replace(/^\/v1/, ""),
        operationId: described.operationId,
        tags: described.tags ?? [],
        summary: described.summary,
        parameters: described.parameters ?? [],
        body: body["application/json"],
        responses: Object.fromEntries(responses),
        security: described.security,
      };
    }),
  );
}

function readContent(content: ApiSchema, pointer: string): Record<string, ApiMedia> {
  return Object.fromEntries(
    Object.entries<ApiSchema>(content).map(([type, media]) => [
      type,
      { ...media, pointer: `${pointer}/${escapePart(type)}/schema` },
    ]),
  );
}

function escapePart(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
