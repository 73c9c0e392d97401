import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorBody } from "../contract/common.ts";
import { LastingProblem, Problem } from "../contract/problem.ts";
import { SealError } from "../lib/sealer.ts";
import { describeStorageFault } from "../lib/storage-fault.ts";

type ValidationIssue = NonNullable<FastifyError["validation"]>[number];

/** Errors that Fastify itself detects (rules#error-body). */
const EDGE_PROBLEMS: Record<string, () => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Problem("PAYLOAD_TOO_LARGE", "The request body is larger than 64 KiB."),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem("UNSUPPORTED_MEDIA_TYPE", "The request body must be application/json."),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem("INVALID_REQUEST", "The request body does not have the stated length."),
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    new Problem("INVALID_REQUEST", "The request body is empty.", { body: "must be JSON" }),
  FST_ERR_CTP_INVALID_JSON_BODY: notJson,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () =>
    new Problem("METHOD_NOT_ALLOWED", "This method is not possible here."),
  // The client has disconnected and cannot read the response.
  ECONNRESET: () => new Problem("INVALID_REQUEST", "The request was not completed."),
};

/** Converts every error into `{errorCode, message, fields}` with the status of its code. */
export function handleError(
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const problem = toProblem(error);
  if (problem.status >= 500) logFailure(error, request);
  if (problem.errorCode === "NOT_AUTHORIZED") reply.header("www-authenticate", "Bearer");
  if (problem.status === 503) reply.header("retry-after", problem.retryAfter_s);
  return reply.status(problem.status).send(toErrorBody(problem));
}

/**
 * Logs a failure. SYSTEM_UNAVAILABLE is logged without a stack, because its message is complete and
 * callers repeat their requests.
 */
function logFailure(error: FastifyError | Problem, { id, log }: FastifyRequest): void {
  if (error instanceof Problem && error.errorCode === "SYSTEM_UNAVAILABLE") {
    const { errorCode, message } = error;
    log.warn({ reqId: id, errorCode, reason: message }, "request refused");
  } else {
    log.error({ reqId: id, err: error }, "request failed");
  }
}

interface BrokenRequest {
  problem: Problem;
  status: number;
}

const NOT_HTTP: BrokenRequest = {
  problem: new Problem("INVALID_REQUEST", "This is not a valid HTTP request."),
  status: 400,
};

const BROKEN_REQUESTS: Record<string, BrokenRequest> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    problem: new Problem("INVALID_REQUEST", "The request was not completed in time."),
    status: 408,
  },
  HPE_HEADER_OVERFLOW: {
    problem: new Problem("PAYLOAD_TOO_LARGE", "The headers of the request are too large."),
    status: 431,
  },
};

export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const { problem, status } = BROKEN_REQUESTS[error.code ?? ""] ?? NOT_HTTP;
  if (socket.writable) writeErrorAnswer(socket, problem, requestId, status);
  else socket.destroy(error);
}

export function writeErrorAnswer(
  socket: Socket,
  problem: Problem,
  requestId: string,
  status = problem.status,
): void {
  const body = JSON.stringify(toErrorBody(problem));
  const head = [
    `HTTP/1.1 ${status} ${process.getBuiltinModule("node:http").STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(status === 503 ? [`retry-after: ${problem.retryAfter_s}`] : []),
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

export function toErrorBody(problem: Problem): ErrorBody {
  return { errorCode: problem.errorCode, message: problem.message, fields: problem.fields };
}

function toProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error;
  if (error.validation) return invalidRequest(error.validation, error.validationContext);
  const edge = EDGE_PROBLEMS[error.code];
  if (edge) return edge();
  if (error instanceof SyntaxError && error.statusCode === 400) return notJson();
  const fault = describeStorageFault(error);
  if (fault) return new LastingProblem(`Nothing was done: ${fault}.`);
  if (error instanceof SealError) return new LastingProblem(error.message);
  // A page that may not be served counts as missing.
  if (error.statusCode === 403) return new Problem("NOT_FOUND", "There is nothing here.");
  return new Problem("INTERNAL_ERROR", "Something went wrong. It has been logged.");
}

function notJson(): Problem {
  return new Problem("INVALID_REQUEST", "The request body is not valid JSON.", {
    body: "must be JSON",
  });
}

/** Returns an error that names every invalid field (rules#error-body). */
function invalidRequest(issues: ValidationIssue[], context: string | undefined): Problem {
  const fields = new Map<string, string>();
  for (const issue of issues) {
    const path = issue.instancePath.split("/").slice(1);
    const { missingProperty, additionalProperty, allowedValues } = issue.params;
    const named = missingProperty ?? additionalProperty;
    if (typeof named === "string") path.push(named);
    const field = path.join(".") || (context ?? "body");
    if (!fields.has(field)) fields.set(field, ruleOf(issue, allowedValues, context));
  }
  const names = [...fields.keys()].join(", ");
  const problem = `The request is not valid: ${names}.`;
  return new Problem("INVALID_REQUEST", problem, Object.fromEntries(fields));
}

function ruleOf(
  issue: ValidationIssue,
  allowedValues: unknown,
  context: string | undefined,
): string {
  const { keyword, message } = issue;
  if (keyword === "required") return "is required";
  const { data } = issue as { data?: unknown };
  if (context === "querystring" && Array.isArray(data)) return "must be given once";
  if (keyword === "additionalProperties") return "is not a known field";
  if (keyword === "enum" && Array.isArray(allowedValues)) {
    return `must be one of ${allowedValues.join(", ")}`;
  }
  const { parentSchema } = issue as { parentSchema?: { description?: string } };
  const { description } = parentSchema ?? {};
  if (keyword === "pattern" && description) return `must be ${description}`;
  return message ?? "is not valid";
}
