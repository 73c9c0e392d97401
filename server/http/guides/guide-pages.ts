import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyReply } from "fastify";
import { Marked, type Token, type Tokens } from "marked";

/** A part of a guide below one heading, as text for the search. */
interface GuideSection {
  /** Anchor of the heading. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

interface GuidePage {
  readonly title: string;
  readonly html: string;
  /** Headings of the second level. */
  readonly contents: readonly { readonly id: string; readonly heading: string }[];
  readonly sections: readonly GuideSection[];
}

/** Returns the address of a link's target; undefined if the gateway does not serve it. */
type FindAddress = (target: string) => string | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Converts Markdown of this project to HTML. Its source is trusted. */
function renderGuide(markdown: string, findAddress: FindAddress): GuidePage {
  const ids = new Map<string, number>();
  const sections: { id: string; heading: string; texts: string[] }[] = [];
  const contents: { id: string; heading: string }[] = [];
  let title = "";
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const heading = plainText(tokens);
        const id = uniqueId(heading, ids);
        if (depth === 1) title = heading;
        if (depth === 2) contents.push({ id, heading });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = findAddress(href);
        return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      image({ href, text }) {
        const address = findAddress(href);
        const alternative = escapeHtml(text);
        return address === undefined
          ? alternative
          : `<img src="${escapeHtml(address)}" alt="${alternative}" loading="lazy">`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const searched = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = plainText((token as Tokens.Heading).tokens);
      sections.push({ id: uniqueId(heading, searched), heading, texts: [] });
    } else {
      sections.at(-1)?.texts.push(plainText([token]));
    }
  }
  const html = marked
    .parser(tokens)
    // Wide tables and code scroll on their own, also by keyboard.
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
  return {
    title,
    html,
    contents,
    sections: sections.map(({ id, heading, texts }) => ({
      id,
      heading,
      text: texts.join(" ").replaceAll(/\s+/g, " ").trim(),
    })),
  };
}

/** Makes the anchor of a heading, as GitHub does. */
function uniqueId(heading: string, ids: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join("");
}

function textOf(token: Token): string {
  switch (token.type) {
    case "html":
      return "";
    case "table": {
      const { header, rows } = token as Tokens.Table;
      const cells = [header, ...rows].flat();
      return cells.map(({ tokens }) => plainText(tokens)).join(" ");
    }
    case "list":
      return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join(" ");
    case "br":
    case "space":
      return " ";
    default: {
      const { tokens, text = "" } = token as { tokens?: Token[]; text?: string };
      return tokens ? plainText(tokens) : text;
    }
  }
}

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

interface Guide extends GuidePage {
  readonly name: string;
  readonly markdown: string;
}

interface SearchHit {
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

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(";");
const CACHING = "no-cache";
const LONGEST_QUESTION = 200;

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
};

/** Answers the requests below `/docs` with pages. They have no scripts. */
export class GuidePages {
  readonly #library: GuideLibrary;

  constructor(dir: string, commandLine: string) {
    this.#library = new GuideLibrary(dir, commandLine);
  }

  /** @param path path below `/docs/`; empty for the index */
  async show(path: string, question: string, reply: FastifyReply): Promise<unknown> {
    if (path === "") return sendPage(reply, "Guides", this.#index());
    if (path === "guides.css") return send(reply, "text/css", GUIDE_STYLE);
    if (path === "search") return this.#showSearch(question, reply);
    if (path === "samples") return this.#showSamples(reply);
    if (path.endsWith(".md")) {
      const source = await this.#library.find(path.slice(0, -".md".length));
      return source ? send(reply, "text/markdown", source.markdown) : reply.callNotFound();
    }
    const guide = await this.#library.find(path);
    if (guide) return sendPage(reply, guide.title, this.#guide(guide), guide.name);
    const file = await this.#library.readFile(path);
    if (file === undefined) return reply.callNotFound();
    const type = PICTURE_TYPES[extname(path)];
    return send(reply, type ?? "text/plain", file);
  }

  /** Lists the guides for language models (llmstxt.org). */
  showForModels(reply: FastifyReply): unknown {
    const guides = this.#library
      .list()
      .map(({ name, about }) => `- [${name}](/docs/${name}.md): ${about}`);
    const text = [
      "# Tillgate",
      "",
      "> A gateway and point of sale for prepaid products. Programs buy through the REST API `/v1` with a key.",
      "",
      "## API",
      "",
      "- [OpenAPI description](/v1/openapi.json): every operation of /v1, with examples and errors",
      "",
      "## Guides",
      "",
      ...guides,
      "",
    ].join("\n");
    return send(reply, "text/plain", text);
  }

  #index(): string {
    const items = this.#library
      .list()
      .map(
        ({ name, about }) =>
          `<li><a href="/docs/${name}">${escapeHtml(nameOf(name))}</a><br>${escapeHtml(about)}</li>`,
      );
    const api = `<li><a href="/docs/api">API explorer</a><br>Every operation of /v1, to be tried with a key</li>`;
    return `<h1>Guides</h1>\n<ul class="index">${api}${items.join("\n")}</ul>`;
  }

  #guide({ name, html, contents }: Guide): string {
    const items = contents
      .map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`)
      .join("");
    const list =
      contents.length === 0
        ? ""
        : `<details><summary>On this page</summary><ul>${items}</ul></details>`;
    // The list stands below the title.
    const page = html.replace("</h1>\n", `</h1>\n${list}\n`);
    return `${page}<p class="source"><a href="/docs/${name}.md">This page as Markdown</a></p>`;
  }

  async #showSearch(question: string, reply: FastifyReply): Promise<unknown> {
    const asked = question.slice(0, LONGEST_QUESTION).trim();
    const hits = await this.#library.search(asked);
    return sendPage(reply, "Search", searchPage(asked, hits), "", asked);
  }

  async #showSamples(reply: FastifyReply): Promise<unknown> {
    const items = (await this.#library.listSamples()).map(
      (path) => `<li><a href="/docs/${path}">${escapeHtml(path.slice("samples/".length))}</a></li>`,
    );
    return sendPage(reply, "Samples", `<h1>Samples</h1>\n<ul>${items.join("")}</ul>`);
  }
}

function searchPage(asked: string, hits: readonly SearchHit[]): string {
  const items = hits.map(
    ({ name, title, id, heading, excerpt }) =>
      `<li><a href="/docs/${name}#${id}">${escapeHtml(heading)}</a> · ${escapeHtml(title)}<br>${escapeHtml(excerpt)}</li>`,
  );
  const count = hits.length === 1 ? "1 section" : `${hits.length} sections`;
  const found =
    asked === ""
      ? "<p>Type words of the guides into the search field.</p>"
      : `<p role="status">${count} for “${escapeHtml(asked)}”.</p>`;
  return `<h1>Search</h1>\n${found}<ol class="index">${items.join("\n")}</ol>`;
}

function nameOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function sendPage(
  reply: FastifyReply,
  title: string,
  content: string,
  current = "",
  asked = "",
): unknown {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tillgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<nav aria-label="Guides"><a href="/docs"${current === "" && title === "Guides" ? ' aria-current="page"' : ""}>Tillgate guides</a>
<a href="/docs/integrate"${current === "integrate" ? ' aria-current="page"' : ""}>Integrate</a>
<a href="/docs/api">API explorer</a></nav>
<form role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the guides" placeholder="Search" maxlength="${LONGEST_QUESTION}" value="${escapeHtml(asked)}"><button>Search</button></form>
</header>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`;
  return send(reply, "text/html", page);
}

function send(reply: FastifyReply, type: string, content: string | Buffer): unknown {
  const isText = type.startsWith("text/");
  return reply
    .header("content-type", isText ? `${type}; charset=utf-8` : type)
    .header("content-security-policy", POLICY)
    .header("cache-control", CACHING)
    .send(content);
}

/** Style of the guides, light and dark, for phones and wide screens. */
const GUIDE_STYLE = `
:root{color-scheme:light dark;--ink:#14171c;--soft:#474e59;--page:#fff;--card:#f4f5f7;--line:#d5d9e0;--link:#2447c8}
@media (prefers-color-scheme:dark){:root{--ink:#f0f2f5;--soft:#b5bcc7;--page:#0d0f13;--card:#1a1e25;--line:#343b47;--link:#9fb4ff}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;justify-content:space-between;padding:.75rem 1rem;
border-bottom:1px solid var(--line)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
nav a{padding:.5rem 0}
nav a[aria-current]{color:var(--ink);font-weight:600}
form{display:flex;gap:.5rem;flex:1 1 14rem;max-width:26rem}
input,button{font:inherit;min-height:2.75rem;padding:.25rem .75rem;border:1px solid var(--soft);border-radius:.5rem;
background:var(--page);color:var(--ink)}
input{flex:1;min-width:0}
input::placeholder{color:var(--soft);opacity:1}
main{max-width:52rem;margin:0 auto;padding:1rem}
main:focus{outline:none}
a{color:var(--link)}
h1{font-size:1.875rem;line-height:1.25;margin:1rem 0}
h2{font-size:1.375rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:.5rem;border-top:1px solid var(--line)}
h3{font-size:1.125rem;margin:1.75rem 0 .5rem}
pre,code{font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,monospace}
code{background:var(--card);border-radius:.25rem;padding:.1em .3em}
pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.75rem 1rem;overflow-x:auto}
pre code{padding:0;background:none}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;min-width:100%}
th,td{border-bottom:1px solid var(--line);padding:.5rem .75rem .5rem 0;text-align:start;vertical-align:top}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem}
details{background:var(--card);border-radius:.5rem;padding:.25rem 1rem}
summary{min-height:2.75rem;padding:.5rem 0;font-weight:600;cursor:pointer}
.index{padding-inline-start:1.25rem}
.index li{margin:0 0 .75rem}
.source{margin-top:3rem;color:var(--soft)}
.skip{position:absolute;inset-inline-start:-100rem}
.skip:focus{inset-inline-start:1rem;top:.5rem;background:var(--page);padding:.5rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
@media print{header,details,.source{display:none}}
`;
