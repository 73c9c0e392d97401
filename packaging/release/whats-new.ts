import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";

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
