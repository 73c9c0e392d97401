import { isDeepStrictEqual } from "node:util";
import { faultsOfAnswer, type ShapeOfObject } from "./record-shape.ts";
import type { Reply, Target } from "./target.ts";

/** A difference between the contract and an answer. */
export interface Difference {
  readonly expected: string;
  readonly came: string;
}

/**
 * Checks run in the order of their stages. `read` moves no money, `sell` makes purchases, `records`
 * reads purchases.
 */
export type Stage = "read" | "sell" | "records";

export interface Check {
  readonly name: string;
  /** Anchor of the rule in docs/rules.md. */
  readonly clause: string;
  readonly stage: Stage;
  run(target: Target, findings: Findings): Promise<void>;
}

/** Thrown by a check that does not apply to the target. */
export class Skipped extends Error {}

const LONGEST_TEXT = 300;

/** Collects the differences that a check finds. */
export class Findings {
  readonly differences: Difference[] = [];

  add(expected: string, came: unknown): void {
    this.differences.push({ expected, came: toText(came) });
  }

  equal(subject: string, came: unknown, expected: unknown): void {
    if (isDeepStrictEqual(came, expected)) return;
    this.add(`${subject}: ${toText(expected)}`, came);
  }

  holds(expected: string, isTrue: boolean, came: unknown): void {
    if (!isTrue) this.add(expected, came);
  }

  /** Checks a success: status, headers, and the record if there is one. */
  answered(reply: Reply, shape?: ShapeOfObject): boolean {
    const { status, request, type } = reply;
    if (status !== 200) {
      this.add(`${request}: status 200`, `${status} ${toText(reply.body)}`);
      return false;
    }
    this.#requestId(reply);
    if (shape === undefined) return true;
    this.holds(`${request}: content-type application/json`, isJson(type), type);
    for (const fault of faultsOfAnswer(reply.body, shape)) {
      this.add(`${request}: the fields and types of the record`, fault);
    }
    return true;
  }

  /** Checks a refusal: status, code, body and headers, and that it names the fields. */
  refused(reply: Reply, status: number, errorCode: string, fields: readonly string[] = []): void {
    const { request, type } = reply;
    const body = (reply.body ?? {}) as Record<string, unknown>;
    const came = `${reply.status} ${toText(reply.body)}`;
    if (reply.status !== status || body.errorCode !== errorCode) {
      this.add(`${request}: ${status} ${errorCode}`, came);
      return;
    }
    this.#requestId(reply);
    this.holds(`${request}: content-type application/json`, isJson(type), type);
    const isWhole = typeof body.message === "string" && body.message !== "" && isTexts(body.fields);
    this.holds(`${request}: {errorCode, message, fields}`, isWhole, came);
    const named = Object.keys(body.fields ?? {}).map((name) => name.split(".")[0]);
    const missing = fields.filter((field) => !named.includes(field));
    this.holds(`${request}: fields names ${missing.join(", ")}`, missing.length === 0, came);
  }

  #requestId({ request, headers }: Reply): void {
    const id = headers.get("x-request-id");
    this.holds(`${request}: the header x-request-id`, Boolean(id), "no such header");
  }
}

function isJson(type: string): boolean {
  return type.startsWith("application/json");
}

function isTexts(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

function toText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
