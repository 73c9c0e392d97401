import { get } from "node:http";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";

/** Maximum transfer size, in bytes, of the scripts that the counter needs before its first sale. */
export const MOST_BYTES = 300_000;

/**
 * Browsers accept Brotli from this machine and over TLS; from other addresses they accept only
 * gzip.
 */
type Compression = "br" | "gzip";

interface Answer {
  readonly text: string;
  readonly bytes: number;
}

export interface FirstScripts {
  readonly scripts: number;
  readonly words: number;
  readonly total: number;
}

/**
 * Measures the downloads that the counter needs: the scripts that the page names, and the texts of
 * the largest language.
 */
export async function weighFirstScripts(
  url: string,
  compression: Compression = "br",
): Promise<FirstScripts> {
  const page = await ask(url, "identity");
  const named = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(
    ([, path]) => path ?? "",
  );
  const weighAll = async (paths: readonly string[]) => {
    const answers = await Promise.all(paths.map((path) => ask(url + path, compression)));
    return answers.reduce((sum, { bytes }) => sum + bytes, 0);
  };
  const scripts = await weighAll(named);
  const texts = await Promise.all(named.map((path) => ask(url + path, "identity")));
  const words = await Promise.all(
    LANGUAGES.map(async (language) => {
      const files = texts.flatMap(({ text }) => [
        ...text.matchAll(new RegExp(`["'\`]\\.?/?(?:assets/)?(${language}-[\\w-]{8}\\.js)`, "g")),
      ]);
      const weights = files.map(([, file]) => weighAll([`/assets/${file}`]));
      return Math.max(0, ...(await Promise.all(weights)));
    }),
  );
  const heaviest = Math.max(...words);
  if (named.length === 0 || words.includes(0)) {
    throw new Error(`first-scripts: ${url} names no scripts, or a language without words`);
  }
  return { scripts, words: heaviest, total: scripts + heaviest };
}

function ask(address: string, encoding: Compression | "identity"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { "accept-encoding": encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const body = Buffer.concat(parts);
        resolve({
          text: body.toString(),
          bytes: body.length,
        });
      });
    }).on("error", reject);
  });
}
