import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Value } from "typebox/value";
import type { Clock } from "../../lib/clock.ts";
import { sendGuarded } from "../../lib/guarded-request.ts";
import { readFeedKey, requireFresh, requireSigned, SIGNATURE_SUFFIX } from "./feed-signature.ts";
import { NewerVersion } from "./newer-version.ts";

const FILE = "latest-server.json";
const TIMEOUT_MS = 10_000;
const LARGEST_BYTES = 64 * 1024;

interface Options {
  /** A web server's folder, or one of a disk or of the network. */
  feed: string;
  resourcesDir: string;
}

/**
 * Reads which server is the newest. Where the program has the feed's key, only a list counts that is signed and has
 * not expired (rules#update-feed).
 */
export class FeedReader {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws Error in words: it does not answer, is not signed, has expired, or is not what it should be */
  async read(clock: Clock, signal: AbortSignal): Promise<NewerVersion> {
    const { resourcesDir } = this.#options;
    const bytes = await this.#readFile(FILE, clock, signal);
    const key = await readFeedKey(resourcesDir);
    if (key) {
      const signature = await this.#readFile(`${FILE}${SIGNATURE_SUFFIX}`, clock, signal);
      requireSigned(bytes, signature.toString("utf8"), key);
    }
    const found: unknown = JSON.parse(bytes.toString("utf8"));
    if (!Value.Check(NewerVersion, found)) throw new Error(`${FILE} is not as a release writes it`);
    requireFresh(found.expires, { now: clock.now(), isSigned: key !== undefined });
    return found;
  }

  async #readFile(name: string, clock: Clock, signal: AbortSignal): Promise<Buffer> {
    const { feed } = this.#options;
    if (!/^https?:/i.test(feed)) return readFile(join(feed, name));
    const url = new URL(name, feed.endsWith("/") ? feed : `${feed}/`).href;
    const { status, body, complete } = await sendGuarded(
      {
        method: "GET",
        url,
        timeout_ms: TIMEOUT_MS,
        keep_bytes: LARGEST_BYTES,
        read_bytes: LARGEST_BYTES,
        allowPrivate: true,
        signal,
      },
      clock,
    );
    if (status !== 200 || !complete) throw new Error(`${url} answered ${status}`);
    return body;
  }
}
