import type { Environment } from "../../../server/contract/common.ts";
import type { ListDraft } from "./list-draft.ts";

/** Changes of another form than this are forgotten: the list that they are of may look otherwise by then. */
const FORM = 1;

/** Changes that are not saved yet are kept by this browser, for each environment. */
function keyOf(environment: Environment): string {
  return `tillgate.price-list.${environment}`;
}

/** What was changed and neither saved nor thrown away before the page was loaded. */
export function readKeptDraft(environment: Environment): ListDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(environment)) ?? "null");
    return isKept(stored) ? stored.draft : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(environment: Environment, draft: ListDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(keyOf(environment), JSON.stringify({ form: FORM, draft }));
    else localStorage.removeItem(keyOf(environment));
  } catch {
    // A browser that keeps nothing loses them with the page, and nothing else.
  }
}

function isKept(value: unknown): value is { draft: ListDraft } {
  if (!isObject(value) || value.form !== FORM || !isObject(value.draft)) return false;
  const { base, list } = value.draft;
  return isObject(base) && typeof base.version === "number" && isList(base.list) && isList(list);
}

function isList(value: unknown): boolean {
  return isObject(value) && Array.isArray(value.rules);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
