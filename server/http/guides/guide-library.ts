import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type GuidePage, renderGuide } from "./guide-html.ts";

/** Guides in the order of the index, with the reader and the subject of each. */
export const GUIDES = [
  { name: "integrate", about: "For developers: buy through /v1, receive results, test failures" },
  { name: "sell", about: "For the clerk at the till" },
  { name: "run-the-shop", about: "For the owner: prices, people, going live, money" },
  { name: "install", about: "Install, update and remove Tillgate" },
  { name: "operate", about: "Run a server: network, backups, monitoring, PostgreSQL" },
  { name: "reliability", about: "Guarantees about money and deliveries, and their tests" },
  { name: "performance", about: "Measurements and limits" },
  { name: "rules", about: "Every rule that Tillgate keeps" },
  { name: "glossary", about: "The words of the field and of the program" },
  { name: "contribute", about: "Change Tillgate" },
  { name: "release", about: "Make a version" },
] as const;

export interface Guide extends GuidePage {
  readonly name: string;
  readonly markdown: string;
}

export interface SearchHit {
  readonly name: string;
  readonly title: string;
  readonly id: string;
  readonly heading: string;
  readonly excerpt: string;
}

const SHELL_BLOCK = /^ *```sh\n[\s\S]*?^ *```$/gm;
const MAX_HITS = 30;
const EXCERPT_LENGTH = 200;
const EXCERPT_BEFORE = 60;

/** Reads, renders and searches the guides in `docs`. Each guide is rendered once. */
export class GuideLibrary {
  readonly #dir: string;
  readonly #commandLine: string;
  readonly #guides = new Map<string, Promise<Guide>>();
  #files: Promise<ReadonlySet<string>> | undefined;

  /**
   * @param commandLine replaces `npm run -s tillgate --` in shell blocks, because a package has no
   * npm scripts
   */
  constructor(dir: string, commandLine: string) {
    this.#dir = dir;
    this.#commandLine = commandLine;
  }

  /** Lists the guides that this installation has. */
  list(): readonly (typeof GUIDES)[number][] {
    return GUIDES.filter(({ name }) => existsSync(join(this.#dir, `${name}.md`)));
  }

  async find(name: string): Promise<Guide | undefined> {
    if (!this.list().some((guide) => guide.name === name)) return undefined;
    const guide = this.#guides.get(name) ?? this.#render(name);
    this.#guides.set(name, guide);
    void guide.catch(() => this.#guides.delete(name));
    return guide;
  }

  /** Returns a picture or sample by its path below `docs`; undefined if there is none. */
  async readFile(path: string): Promise<Buffer | undefined> {
    return (await this.#listFiles()).has(path) ? readFile(join(this.#dir, path)) : undefined;
  }

  async listSamples(): Promise<string[]> {
    return [...(await this.#listFiles())].filter((path) => path.startsWith("samples/")).toSorted();
  }

  /** Finds the sections that contain every word, those with the words in their heading first. */
  async search(question: string): Promise<SearchHit[]> {
    const words = question.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const hits: (SearchHit & { inHeading: number })[] = [];
    for (const { name } of this.list()) {
      const guide = await this.find(name);
      for (const { id, heading, text } of guide?.sections ?? []) {
        const title = guide?.title ?? "";
        const all = `${title} ${heading} ${text}`.toLowerCase();
        if (!words.every((word) => all.includes(word))) continue;
        const inHeading = words.filter((word) => heading.toLowerCase().includes(word)).length;
        hits.push({ name, title, id, heading, excerpt: excerptOf(text, words), inHeading });
      }
    }
    // The sort is stable: equal hits remain in the order of the guides.
    return hits.toSorted((one, other) => other.inHeading - one.inHeading).slice(0, MAX_HITS);
  }

  #listFiles(): Promise<ReadonlySet<string>> {
    this.#files ??= listFiles(this.#dir);
    return this.#files;
  }

  async #render(name: string): Promise<Guide> {
    const [text, files] = await Promise.all([
      readFile(join(this.#dir, `${name}.md`), "utf8"),
      this.#listFiles(),
    ]);
    const markdown = text.replaceAll(SHELL_BLOCK, (block) =>
      block.replaceAll("npm run -s tillgate --", this.#commandLine),
    );
    const page = renderGuide(markdown, (target) => this.#addressOf(target, files));
    return { name, markdown, ...page };
  }

  #addressOf(target: string, files: ReadonlySet<string>): string | undefined {
    if (/^(?:#|https?:|mailto:)/.test(target)) return target;
    if (target === "openapi.json") return "/v1/openapi.json";
    if (target === "samples") return "/docs/samples";
    const [, name, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
    if (name !== undefined) {
      return this.list().some((guide) => guide.name === name)
        ? `/docs/${name}${anchor}`
        : undefined;
    }
    return files.has(target) ? `/docs/${target}` : undefined;
  }
}

async function listFiles(dir: string): Promise<Set<string>> {
  const paths = new Set<string>();
  async function addFolder(folder: string): Promise<void> {
    const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) await addFolder(path);
      else paths.add(path);
    }
  }
  for (const folder of ["images", "samples"]) await addFolder(folder);
  return paths;
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT_BEFORE);
  const from = places.length === 0 ? 0 : start;
  const part = text.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? "…" : ""}${part}${from + EXCERPT_LENGTH < text.length ? "…" : ""}`;
}
