/** A text that is safe within a page as it stands. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | readonly Html[];

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Puts a page together; whatever is no `Html` is written as text. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const written = parts.map((part, index) => part + toText(values[index]));
  return new Html(written.join(""));
}

/** What was made here and not by people, such as a style. */
export function asIs(text: string): Html {
  return new Html(text);
}

function toText(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return String(value).replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
}
