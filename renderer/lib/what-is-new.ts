import { queryOptions } from "@tanstack/react-query";
import type { Language } from "../../server/contract/pos/setup.ts";
import { hasKeys, readJson } from "./browser-storage.ts";

export interface VersionNews {
  readonly version: string;
  readonly sentences: readonly string[];
}

type News = Readonly<Record<string, readonly string[]>>;

const FILES: Readonly<Record<Language, () => Promise<{ default: News }>>> = {
  en: () => import("../../resources/whats-new/en.json"),
  es: () => import("../../resources/whats-new/es.json"),
  fr: () => import("../../resources/whats-new/fr.json"),
  pt: () => import("../../resources/whats-new/pt.json"),
  ar: () => import("../../resources/whats-new/ar.json"),
};

function newsKey(language: string) {
  return ["what-is-new", language] as const;
}

/** Query of the changes in each version, newest first. */
export function whatIsNewQuery(language: string) {
  return queryOptions({
    queryKey: newsKey(language),
    queryFn: async (): Promise<VersionNews[]> => {
      const read = FILES[language as Language] ?? FILES.en;
      const { default: news } = await read();
      const versions = Object.entries(news).map(([version, sentences]) => ({ version, sentences }));
      return versions.toSorted((a, b) => compareVersions(b.version, a.version));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

const SEEN_KEY = "tillgate.what-is-new";

/**
 * Returns the version whose changes the person last saw on this device; undefined at the first use.
 */
export function seenVersion(staffId: string): string | undefined {
  return readSeen()[staffId];
}

export function noteSeen(staffId: string, version: string): void {
  try {
    localStorage.setItem(SEEN_KEY, JSON.stringify({ ...readSeen(), [staffId]: version }));
  } catch {
    // Without browser storage, the changes are shown again.
  }
}

function readSeen(): Record<string, string> {
  const seen = readJson(SEEN_KEY);
  return hasKeys(seen) ? (seen as Record<string, string>) : {};
}
