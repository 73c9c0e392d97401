import { get } from "node:http";
import { LANGUAGES } from "../../server/contract/pos/setup.ts";

/** Maximum transfer sizes of scripts and words, in bytes. */
export const MOST_BYTES = { firstScreen: 250_000, counter: 310_000 };

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
  /** Of the first screen. */
  readonly total: number;
  /** Scripts that load while the clerk signs in, and that the counter also needs. */
  readonly counter: number;
}

/**
 * Measures the downloads that the first screen needs: the scripts that the page names, and the texts
 * of the largest language; and the scripts that the counter needs besides.
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
  const [later = ""] = texts.flatMap(({ text }) => /assets\/counter-[\w-]{8}\.js/.exec(text) ?? []);
  const counter = later === "" ? 0 : await weighAll([`/${later}`]);
  if (counter === 0) throw new Error(`first-scripts: ${url} names no script of the counter`);
  if (named.length === 0 || words.includes(0)) {
    throw new Error(`first-scripts: ${url} names no scripts, or a language without words`);
  }
  return { scripts, words: heaviest, total: scripts + heaviest, counter };
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
