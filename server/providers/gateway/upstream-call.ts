import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { SECOND } from "../../lib/clock.ts";
import {
  askProvider,
  type ProviderConnection,
  ProviderRefusal,
  type ProviderRequest,
  type ProviderResponse,
  ProviderUnclear,
  ProviderUnreached,
} from "../provider-call.ts";
import type { ProviderLimits } from "../provider-limit.ts";
import { readRefusal } from "./upstream-answers.ts";

const known = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

/**
 * Returns the response unparsed.
 * @throws ProviderUnreached
 * @throws ProviderUnclear if there was no response; messages contain no secrets
 */
export function askUpstream(
  connection: ProviderConnection,
  request: ProviderRequest,
  limits: ProviderLimits,
): Promise<ProviderResponse> {
  const { baseUrl, key } = connection;
  const headers = { authorization: `Bearer ${key}` };
  return askProvider({ ...connection, baseUrl: `${baseUrl}/v1` }, headers, request, limits);
}

/**
 * Accepts only a response that matches `schema`. A null field counts as absent.
 * @throws ProviderUnreached, ProviderUnclear or ProviderRefusal; messages contain no secrets
 */
export async function callUpstream<Schema extends TSchema>(
  connection: ProviderConnection,
  schema: Schema,
  request: ProviderRequest,
  limits: ProviderLimits,
): Promise<Static<Schema>> {
  const answer = await askUpstream(connection, request, limits);
  const body = withoutNulls(answer.body);
  if (answer.status === 200) {
    if (!answer.isComplete) throw new ProviderUnclear("The answer broke off, or does not end.");
    if (fits(schema, body)) return body;
    throw new ProviderUnclear("The answer is not what /v1 answers.");
  }
  const { errorCode, message, fields } = readRefusal(answer, connection.key).details;
  const isRefusal = answer.status >= 400 && answer.status < 500 && errorCode !== "";
  if (!isRefusal) throw new ProviderUnclear(`It answers with status ${answer.status}.`);
  const { retryAfter_ms } = answer;
  throw new ProviderRefusal({ errorCode, message, fields, retryAfter_ms });
}

function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  const check = known.get(schema) ?? Compile(schema);
  known.set(schema, check);
  return check.Check(value);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}

const ITEMS_PER_PAGE = 1024;
const LONGEST_PAGE_BYTES = 16 * 1024 * 1024;
const WHOLE_TIMEOUT_MS = 60 * SECOND;
const MAX_ITEMS = 1_000_000;
const KEY_CODES = new Set(["NOT_AUTHORIZED", "FORBIDDEN"]);

interface StatedPage {
  list: unknown[];
  /** Undefined if the page states no total, or zero. */
  total: number | undefined;
}

export interface UpstreamList {
  items: unknown[];
  /** Duplicate ids. Only the first item with each id is used. */
  repeated: string[];
  /** One error for each unreadable page; empty if the list is complete. */
  failures: unknown[];
}

function distinct(stated: unknown[], idField: string): Pick<UpstreamList, "items" | "repeated"> {
  const seen = new Set<unknown>();
  const repeated: string[] = [];
  const items = stated.filter((item) => {
    const id = (item as Record<string, unknown> | null)?.[idField];
    if (typeof id !== "string" || id === "") return true;
    if (seen.has(id)) repeated.push(id);
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst;
  });
  return { items, repeated };
}

export class UpstreamMoved extends Error {}

export class UpstreamReader {
  readonly #connection: ProviderConnection;
  readonly #limits: ProviderLimits;

  /**
   * Whether lists with duplicate ids are accepted, although they may have changed while they were
   * read.
   */
  readonly #acceptsRepeated: boolean;

  constructor(connection: ProviderConnection, limits: ProviderLimits, acceptsRepeated = false) {
    this.#connection = connection;
    this.#limits = limits;
    this.#acceptsRepeated = acceptsRepeated;
  }

  read<Schema extends TSchema>(schema: Schema, path: string): Promise<Static<Schema>> {
    const request = {
      method: "GET" as const,
      path,
      priority: "CATALOG" as const,
      timeout_ms: WHOLE_TIMEOUT_MS,
      longest_bytes: LONGEST_PAGE_BYTES,
    };
    return this.#limits.readPatiently(() =>
      callUpstream(this.#connection, schema, request, this.#limits),
    );
  }

  /**
   * Reads a list page by page, without unreadable pages.
   * @throws UpstreamMoved if the list changes while it is read
   * @throws the first page's error if neither of the first two pages is readable
   */
  async readAll(path: string, idField: string, query = ""): Promise<UpstreamList> {
    const items: unknown[] = [];
    const failures: unknown[] = [];
    let total: number | undefined;
    let step = ITEMS_PER_PAGE;
    for (let offset = 0; offset <= MAX_ITEMS; ) {
      const page = await this.#readPage(
        `${path}?_limit=${ITEMS_PER_PAGE}&_offset=${offset}${query}`,
        failures,
      );
      if (!page) {
        offset += step;
        if (total === undefined ? failures.length > 1 : offset >= total) break;
        continue;
      }
      const isFirst = total === undefined;
      total ??= page.total;
      if (total !== undefined && page.total !== undefined && page.total !== total) {
        throw new UpstreamMoved(`${path} changed while it was read`);
      }
      items.push(...page.list);
      if (page.list.length === 0) {
        if (failures.length === 0 && total !== undefined && items.length < total) {
          throw new UpstreamMoved(`${path} changed while it was read`);
        }
        break;
      }
      if (isFirst && offset === 0) step = Math.max(page.list.length, 1);
      offset += page.list.length;
      // Ignores a total that is smaller than the number of read items: the list ends with the first
      // page that is not full.
      const isLast =
        total !== undefined && total >= offset ? offset >= total : page.list.length < step;
      if (isLast) break;
    }
    if (items.length === 0 && failures.length > 0) throw failures[0];
    const list = { ...distinct(items, idField), failures };
    if (list.repeated.length > 0 && !this.#acceptsRepeated) {
      throw new UpstreamMoved(`${path} changed while it was read`);
    }
    return list;
  }

  async #readPage(path: string, failures: unknown[]): Promise<StatedPage | undefined> {
    try {
      const stated: unknown = await this.read(Type.Unknown(), path);
      const { list, total } = (stated ?? {}) as { list?: unknown; total?: unknown };
      if (Array.isArray(list) || list === undefined) {
        const count = typeof total === "string" ? Number(total) : total;
        const isCount = typeof count === "number" && Number.isInteger(count) && count > 0;
        return { list: list ?? [], total: isCount ? count : undefined };
      }
      throw new ProviderUnclear("The answer is not a page of a list.");
    } catch (error) {
      const isLost = error instanceof ProviderUnreached;
      if (isLost || (error instanceof ProviderRefusal && KEY_CODES.has(error.errorCode))) {
        throw error;
      }
      failures.push(error);
      return undefined;
    }
  }
}
