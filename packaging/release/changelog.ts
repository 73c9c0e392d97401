import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";

export interface ReleaseNotes {
  /** `YYYY-MM-DD`; undefined before the release. */
  readonly date: string | undefined;
  readonly text: string;
}

/** @throws Error if the version has no heading or an empty section */
export function readReleaseNotes(changelog: string, version: string): ReleaseNotes {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((one) => one.startsWith(`${version} (`));
  if (part === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version} (…)".`);
  const [heading = "", ...lines] = part.split("\n");
  const text = lines.join("\n").trim();
  if (text === "") throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  const inBrackets = /\((.*)\)$/.exec(heading)?.[1] ?? "";
  if (inBrackets === "unreleased") return { date: undefined, text };
  if (!/^\d{4}-\d{2}-\d{2}$/.test(inBrackets)) {
    throw new Error(`CHANGELOG.md dates ${version} as "${inBrackets}": YYYY-MM-DD or unreleased.`);
  }
  return { date: inBrackets, text };
}

/** Maximum number of sentences. People at a till do not read more. */
const MOST_SENTENCES = 6;

/** @throws Error if a language lacks the news of the version */
export async function requireWhatIsNew(root: string, version: string): Promise<void> {
  const counts = new Set<number>();
  for (const language of LANGUAGES) {
    const name = `resources/whats-new/${language}.json`;
    const news = JSON.parse(await readFile(join(root, name), "utf8")) as Record<string, string[]>;
    const sentences = news[version] ?? [];
    if (sentences.length === 0) throw new Error(`${name} says nothing of ${version}.`);
    if (sentences.length > MOST_SENTENCES) {
      throw new Error(`${name} has more than ${MOST_SENTENCES} sentences of ${version}.`);
    }
    counts.add(sentences.length);
  }
  if (counts.size > 1) throw new Error(`resources/whats-new says ${version} by languages apart.`);
}
