import type { FastifyRequest } from "fastify";
import type { CommitWatch } from "../db/reference-watch.ts";
import { type App, clientOf } from "./app-types.ts";

/**
 * What a program asks for again and again while it waits. The answers follow from the database alone,
 * never from the clock, and hold nothing that is kept encrypted.
 */
const REMEMBERED: ReadonlySet<string> = new Set([
  "/v1/balance",
  "/v1/topups/purchases/:transactionId",
  "/v1/transactions/:transactionId",
]);
const MOST = 1_000;
const LONGEST_ADDRESS = 512;

/**
 * Sends the last answer to the same question of the same account and environment again, until anything
 * is committed, by any process (docs/decisions/0044). The key and its rate are checked each time: call
 * after their hooks are added, and before the routes are.
 */
export function registerRememberedAnswers(app: App, watch: CommitWatch): void {
  const answers = new Map<string, string>();
  let asOf = Number.NaN;
  /** What was committed when a request came: what it reads is no older. */
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

/** The part of a reply that is needed here; its type parameters do not matter. */
interface Reply {
  type(contentType: string): unknown;
}

/**
 * Answers with JSON that was made ready before: Fastify sends a text or bytes as they are, past the
 * serializer. It must be what the operation's schema describes; the compiler takes the caller's word
 * for it.
 */
export function preparedJson<Body>(reply: Reply, json: string | Buffer): Body {
  reply.type("application/json; charset=utf-8");
  return json as Body;
}
