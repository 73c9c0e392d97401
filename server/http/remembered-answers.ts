import type { FastifyRequest } from "fastify";
import type { CommitWatch } from "../db/reference-watch.ts";
import { type App, clientOf } from "./app-types.ts";

/**
 * Paths that programs request repeatedly while they wait. The responses depend only on the
 * database, and contain no encrypted data.
 */
const REMEMBERED: ReadonlySet<string> = new Set([
  "/v1/balance",
  "/v1/topups/purchases/:transactionId",
  "/v1/transactions/:transactionId",
]);
const MOST = 1_000;
const LONGEST_ADDRESS = 512;

/**
 * Repeats the last response to an identical request until any process commits
 * (docs/decisions/0044). Must be called after the hooks for key and rate limit are added, and
 * before the routes are registered.
 */
export function registerRememberedAnswers(app: App, watch: CommitWatch): void {
  const answers = new Map<string, string>();
  let asOf = Number.NaN;
  /** Commit stamp at the start of each request. The request reads data at least as new. */
  const asked = new WeakMap<FastifyRequest, number>();

  function recall(request: FastifyRequest): string | undefined {
    const commits = watch.commits();
    if (commits !== asOf) {
      answers.clear();
      asOf = commits;
    }
    const known = answers.get(keyOf(request));
    if (known === undefined) asked.set(request, commits);
    return known;
  }

  function keep(request: FastifyRequest, answer: string): void {
    const isCurrent = asked.get(request) === asOf && answers.size < MOST;
    if (isCurrent && request.url.length <= LONGEST_ADDRESS) answers.set(keyOf(request), answer);
  }

  app.addHook("onRoute", (route) => {
    if (route.method !== "GET" || !REMEMBERED.has(route.url)) return;
    route.preParsing = (request, reply, payload, done) => {
      const known = recall(request);
      if (known === undefined) done(null, payload);
      else reply.send(preparedJson(reply, known));
    };
    route.onSend = (request, reply, payload, done) => {
      if (reply.statusCode === 200 && typeof payload === "string") keep(request, payload);
      done(null, payload);
    };
  });
}

function keyOf(request: FastifyRequest): string {
  const { accountId, environment } = clientOf(request);
  return `${accountId}/${environment} ${request.url}`;
}

interface Reply {
  type(contentType: string): unknown;
}

/**
 * Returns JSON that Fastify sends unchanged, because it does not serialize strings or bytes. The
 * caller guarantees that the JSON matches the operation's schema.
 */
export function preparedJson<Body>(reply: Reply, json: string | Buffer): Body {
  reply.type("application/json; charset=utf-8");
  return json as Body;
}
