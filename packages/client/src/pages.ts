import type { Body, Calls, PathsOf } from "./calls.ts";
import type { paths } from "./v1.ts";

export type ListPath = {
  [P in PathsOf<"get">]: paths[P] extends {
    get: { parameters: { query: { _limit: number } } };
  }
    ? P
    : never;
}[PathsOf<"get">];

export type ListFilters<P extends ListPath> = Omit<
  paths[P]["get"]["parameters"]["query"],
  "_limit" | "_offset"
>;

export type ListItem<P extends ListPath> =
  Body<P, "get"> extends { list: (infer Item)[] } ? Item : never;

export interface ListOptions {
  /** Number of items per page, 1 to 1024. Default: 100. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

/** Properties of listed purchases and transactions, used to read a growing list without gaps. */
interface Dated {
  readonly transactionId?: string;
  readonly createdAt?: string;
}

/**
 * Iterates over a list, page by page. In lists of purchases and transactions, new rows appear
 * first. To keep them from shifting later pages, the query for later pages excludes rows newer than
 * the first row read.
 */
export async function* iterate<P extends ListPath>(
  calls: Calls,
  path: P,
  filters: Partial<ListFilters<P>>,
  { pageSize = 100, signal }: ListOptions,
): AsyncGenerator<ListItem<P>, void, undefined> {
  const given: Record<string, unknown> & { readonly createdAt?: string } = { ...filters };
  let query = given;
  let isWanted: (item: Dated) => boolean = () => true;
  for (let offset = 0; ; offset += pageSize) {
    const page = await readPage(
      calls,
      path,
      { ...query, _limit: pageSize, _offset: offset },
      signal,
    );
    const items = page.list as Dated[];
    const first = items[0];
    if (offset === 0 && first?.transactionId !== undefined && first.createdAt !== undefined) {
      isWanted = getLowerBound(given.createdAt);
      if (isOpenAbove(given.createdAt)) query = { ...given, createdAt: `lte${first.createdAt}` };
    }
    for (const item of items) {
      if (!isWanted(item)) return;
      yield item as ListItem<P>;
    }
    if (items.length < pageSize || offset + pageSize >= page.total) return;
  }
}

function isOpenAbove(createdAt: string | undefined): boolean {
  return createdAt === undefined || createdAt.startsWith("g");
}

/**
 * Returns the caller's `gt` or `gte` condition as a function. In the query, the time limit of later
 * pages replaces the condition.
 */
function getLowerBound(createdAt = ""): (item: Dated) => boolean {
  const [, comparison, time = ""] = /^(gte?)(.*)$/i.exec(createdAt) ?? [];
  if (comparison === undefined) return () => true;
  const bound = Date.parse(time);
  return ({ createdAt: at = "" }) =>
    comparison === "gt" ? Date.parse(at) > bound : Date.parse(at) >= bound;
}

async function readPage(
  calls: Calls,
  path: ListPath,
  query: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<{ list: unknown[]; total: number }> {
  // All list paths return the same page type, so the type of one path fits all. `iterate` has
  // checked the filters.
  const init = { params: { query: query as never }, ...(signal && { signal }) };
  return await calls.get(path as "/v1/transactions", init);
}
