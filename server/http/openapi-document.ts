import { isDeepStrictEqual } from "node:util";
import { type ErrorCode, FAILURE_CODES, OTHER_FAILURE_CODES } from "../contract/error-codes.ts";
import {
  ANSWER_HEADERS,
  CATALOG_HEADERS,
  describeBadRequest,
  describeSharedErrors,
  ERROR_CODES,
  findSharedError,
  HEADERS,
  NOT_MODIFIED,
} from "./openapi-errors.ts";
import { exampleOf, type Schema } from "./openapi-examples.ts";
import { describeFields } from "./openapi-fields.ts";
import { describeOperation } from "./openapi-operations.ts";
import { splitByPriceType } from "./openapi-price-types.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";
import { REQUEST_SAMPLES } from "./request-samples.ts";

/** Where a schema of a 400 lists its operation's refusals. */
export const REFUSALS = "x-refusals";

interface Media {
  schema?: Schema & { [REFUSALS]?: ErrorCode[] };
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Response {
  description?: string;
  headers?: object;
  content?: Record<string, Media>;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
}

interface Operation {
  [TAGGED]?: boolean;
  operationId?: string;
  tags?: string[];
  description?: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
}

interface Document {
  tags?: { name: string }[];
  components?: { schemas?: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

/**
 * Completes the description that the routes' schemas give: words, examples and headers for every
 * answer and field, the codes of errors, offers by their price type, the webhooks, and each schema
 * with a title said once, in `components`. What is validated and what is served stays as the routes
 * say.
 */
export function completeDocument(document: Document): Document {
  for (const operation of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    completeOperation(operation);
  }
  const schemas = new Map<string, Schema>();
  const paths = lift(byTag(document), schemas) as Document["paths"];
  describeFields(schemas);
  splitByPriceType(schemas);
  nameCodes(schemas);
  const named = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    paths,
    webhooks: describeWebhooks(),
    components: {
      ...document.components,
      headers: HEADERS,
      responses: describeSharedErrors(),
      schemas: Object.fromEntries(named),
    },
  } as Document;
}

/** The paths in the order of the tags, for readers, not in the order of the modules. */
function byTag({ paths, tags = [] }: Document): Document["paths"] {
  const names = tags.map(({ name }) => name);
  const rankOf = (operations: Record<string, Operation>) =>
    names.indexOf(Object.values(operations)[0]?.tags?.[0] ?? "");
  const ranked = Object.entries(paths).sort(([, a], [, b]) => rankOf(a) - rankOf(b));
  return Object.fromEntries(ranked);
}

const FAILURES = [...FAILURE_CODES, ...OTHER_FAILURE_CODES];

/** Errors' codes as enumerations of their own, which a program can switch over. */
function nameCodes(schemas: Map<string, Schema>): void {
  for (const [title, record, field, codes, description] of [
    ["ErrorCode", "ErrorBody", "errorCode", ERROR_CODES, "What went wrong with a request"],
    [
      "FailureCode",
      "TransactionError",
      "code",
      FAILURES,
      "Why a purchase, refund or report failed",
    ],
  ] as const) {
    const whole = schemas.get(record);
    if (!whole) continue;
    schemas.set(title, { title, description, type: "string", enum: [...codes] });
    const properties = { ...whole.properties, [field]: { $ref: `#/components/schemas/${title}` } };
    schemas.set(record, { ...whole, properties });
  }
}

function completeOperation(operation: Operation): void {
  describeOperation(operation);
  const { parameters = [], requestBody, responses } = operation;
  for (const parameter of parameters) {
    // In the message of a broken rule the same words stand after "must be".
    const { description = "" } = parameter;
    parameter.description = description.charAt(0).toUpperCase() + description.slice(1);
  }
  for (const media of Object.values(requestBody?.content ?? {})) exemplifyRequest(media);
  const isTagged = operation[TAGGED] === true;
  delete operation[TAGGED];
  for (const [status, response] of Object.entries(responses)) {
    if ("$ref" in response) continue;
    responses[status] =
      findSharedError(status) ??
      (status === "400" ? badRequestOf(operation, response) : describeSuccess(response));
  }
  const { 200: success } = responses;
  if (!isTagged || !success) return;
  operation.responses = {
    ...responses,
    200: { ...success, headers: CATALOG_HEADERS },
    304: NOT_MODIFIED,
  };
}

function exemplifyRequest(media: Media): void {
  if (!media.schema) return;
  const samples = REQUEST_SAMPLES[media.schema.title ?? ""];
  delete media.example;
  media.examples = samples ?? { example: { value: exampleOf(media.schema) } };
}

/** Where an operation says that its answers are tagged, see `catalog-answers.ts`. */
export const TAGGED = "x-tagged";

function describeSuccess(response: Response): Response {
  const content = response.content ?? {};
  for (const media of Object.values(content)) {
    delete media.examples;
    if (media.schema && media.schema.format !== "binary") media.example = exampleOf(media.schema);
  }
  return { ...response, headers: ANSWER_HEADERS, content };
}

function badRequestOf(operation: Operation, response: Response) {
  const { [REFUSALS]: refusals = [], ...schema } =
    response.content?.["application/json"]?.schema ?? {};
  return describeBadRequest(schema, refusals, exampleFault(operation));
}

/** The message for a request that breaks the operation's schema, by its first field. */
function exampleFault({ parameters = [], requestBody }: Operation): Record<string, string> {
  const query = parameters.find((parameter) => parameter.in === "query" && parameter.required);
  if (query) return { [query.name]: "is required" };
  const [body] = Object.values(requestBody?.content ?? {});
  const field = body?.schema?.required?.[0];
  if (field !== undefined) return { [field]: "is required" };
  const [path] = parameters;
  if (path === undefined) return {};
  const { name, description = "", schema } = path;
  const rule = description.charAt(0).toLowerCase() + description.slice(1);
  return {
    [name]: schema?.pattern ? `must be ${rule}` : "must NOT have more than 128 characters",
  };
}

/**
 * Moves every schema with a title to `schemas` and leaves a reference to it.
 * @throws when two schemas that differ have the same title: a fault of ours.
 */
function lift(value: unknown, schemas: Map<string, Schema>, isSample = false): unknown {
  if (Array.isArray(value)) return value.map((item) => lift(item, schemas, isSample));
  if (typeof value !== "object" || value === null || isSample) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const isExample = /^(example|examples|enum|const|default)$/.test(key);
      return [key, lift(child, schemas, isExample)];
    }),
  ) as Schema;
  if (node.enum?.every((item) => typeof item === "string")) node.type ??= "string";
  const { title } = node;
  if (typeof title !== "string" || !("type" in node || "anyOf" in node)) return node;
  const known = schemas.get(title);
  if (known && !isDeepStrictEqual(bare(known), bare(node))) {
    throw new Error(`two schemas of /v1 are called ${title}`);
  }
  // A parameter's schema comes without its description, which stands beside it.
  if (!known?.description) schemas.set(title, node);
  return { $ref: `#/components/schemas/${title}` };
}

function bare({ description: _words, examples: _samples, ...schema }: Schema): object {
  return schema;
}
