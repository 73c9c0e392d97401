import { Marked, type Token, type Tokens } from "marked";

/** A part of a guide below one heading, as text for the search. */
interface GuideSection {
  /** Anchor of the heading. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface GuidePage {
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Converts Markdown of this project to HTML. Its source is trusted. */
export function renderGuide(markdown: string, findAddress: FindAddress): GuidePage {
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
