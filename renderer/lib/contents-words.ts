import { joinParts } from "./direction.ts";

const PARTS = [
  ["dataGB", /^(\d+(?:\.\d+)?) ?GB$/i],
  ["dataMB", /^(\d+(?:\.\d+)?) ?MB$/i],
  ["dataUnlimited", /^unlimited data$/i],
  ["voiceMinutes", /^(\d+) ?min(?:utes)?$/i],
  ["voiceUnlimited", /^unlimited calls$/i],
  ["smsNumber", /^(\d+) ?SMS$/i],
  ["smsUnlimited", /^unlimited SMS$/i],
  ["days", /^(\d+) ?days?$/i],
] as const;

export type ContentsKey = (typeof PARTS)[number][0] | "daily";

/** Translates a part: "30 days" from `days` and 30, "2 GB per day" from `daily` and "2 GB". */
export type SayPart = (
  key: ContentsKey,
  values: { readonly count: number; readonly amount: string },
) => string;

/**
 * Translates an English catalog title such as "12 GB, unlimited calls, 30 days". A title with an
 * unknown part, such as "1 GB for chats", stays unchanged.
 */
export function contentsWords(title: string, locale: string, say: SayPart): string {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const words: string[] = [];
  for (const text of title.split(/\s*[,+·]\s+/)) {
    const [, everyDay] = /^(.+)\/day$/i.exec(text.trim()) ?? [];
    const part = readPart(everyDay ?? text.trim());
    if (part === undefined) {
      return title;
    }
    const amount = say(part.key, { count: part.count, amount: number.format(part.count) });
    const said = everyDay === undefined ? amount : say("daily", { count: part.count, amount });
    words.push(words.length === 0 ? said : lowered(said));
  }
  return joinParts(words, locale);
}

/** Lower-cases "Unlimited calls" inside a list; "SMS" stays. */
function lowered(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function readPart(text: string): { key: ContentsKey; count: number } | undefined {
  for (const [key, pattern] of PARTS) {
    const match = pattern.exec(text);
    if (match) {
      return { key, count: Number(match[1] ?? 0) };
    }
  }
  return undefined;
}
