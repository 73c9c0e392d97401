import { readFile } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { Value } from "typebox/value";
import { type Clock, HOUR, MINUTE } from "../../../lib/clock.ts";
import { sendGuarded } from "../../../lib/guarded-request.ts";
import { findNewest, recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import {
  commandFor,
  forgetNewer,
  type Installation,
  isNewer,
  NewerVersion,
  readFeedKey,
  readNewer,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  writeNewer,
} from "./newer-version.ts";
import { findLastStarted, noteStart } from "./version-store.ts";

const FILE = "latest-server.json";
const TIMEOUT_MS = 10_000;
const LARGEST_BYTES = 64 * 1024;

/**
 * Reads the newest version from the feed. If the program has the feed's key, the feed's list must
 * be signed and unexpired (rules#update-feed).
 */
export class FeedReader {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws Error if the feed does not respond, is not signed, has expired or is malformed */
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

/** Delay of the first query after the start, when the gateway is busy. */
const FIRST_MS = MINUTE;
const EVERY_MS = 6 * HOUR;

export interface UpdateDeps
  extends Pick<Base, "accountId" | "db" | "transactor" | "clock" | "log"> {
  version: string;
  config: { dataDir: string; resourcesDir: string; updates?: string | undefined };
  installation: Installation;
  /** Version that failed to start, and whose update this version has undone. */
  undoneVersion?: string;
}

/**
 * Records the versions that ran this shop, and queries the feed for a newer version. Installs
 * nothing (rules#alert-update).
 */
export class UpdateService {
  readonly #deps: UpdateDeps;
  #undone: string | undefined;
  #cancel: () => void = () => {};
  #asking: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
  }

  /** Version whose update was undone; undefined after a later version has worked. */
  get undone(): string | undefined {
    return this.#undone;
  }

  /**
   * Returns the feed's version with its install command.
   * @returns undefined if the feed's version is not newer
   */
  async findNewer(): Promise<{ version: string; command: string } | undefined> {
    const { config, version, installation } = this.#deps;
    const { dataDir, updates: feed } = config;
    if (feed === undefined) return undefined;
    const found = await readNewer(dataDir);
    if (!found || !isNewer(found.version, version)) return undefined;
    const here = { installation, arch: arch(), feed };
    return { version: found.version, command: commandFor(found, here) };
  }

  get version(): string {
    return this.#deps.version;
  }

  findLastStarted(): Promise<string | undefined> {
    return findLastStarted(this.#deps.db);
  }

  async noteWorks(): Promise<void> {
    await this.#note();
    this.#undone = await this.#findUndone();
  }

  async start(): Promise<void> {
    this.#undone = await this.#findUndone();
    if (this.#deps.config.updates !== undefined) this.#askAfter(FIRST_MS);
  }

  stop(): void {
    this.#stop.abort();
    this.#cancel();
  }

  idle(): Promise<void> {
    return this.#asking;
  }

  async #note(): Promise<void> {
    const { accountId, transactor, clock, version, undoneVersion } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const noted = await noteStart(tx, { version, at });
      if (noted?.before !== undefined) {
        await recordAudit(tx, {
          accountId,
          staffId: undefined,
          action: "program.update",
          subject: version,
          detail: { before: noted.before },
          at,
        });
      }
      if (undoneVersion === undefined) return;
      const last = await findNewest(tx, accountId, "program.go-back");
      if (last?.subject === undoneVersion) return;
      await recordAudit(tx, {
        accountId,
        staffId: undefined,
        action: "program.go-back",
        subject: undoneVersion,
        at,
      });
    });
  }

  async #findUndone(): Promise<string | undefined> {
    const { db, accountId } = this.#deps;
    const back = await findNewest(db, accountId, "program.go-back");
    const update = await findNewest(db, accountId, "program.update");
    if (!back || (update && update.entryId > back.entryId)) return undefined;
    return back.subject;
  }

  #askAfter(delay_ms: number): void {
    const { clock } = this.#deps;
    this.#cancel = clock.wakeAt(clock.now() + delay_ms, () => {
      this.#asking = this.#ask().finally(() => {
        if (!this.#stop.signal.aborted) this.#askAfter(EVERY_MS);
      });
    });
  }

  async #ask(): Promise<void> {
    const { config, clock, log, version } = this.#deps;
    if (config.updates === undefined) return;
    try {
      const reader = new FeedReader({ feed: config.updates, resourcesDir: config.resourcesDir });
      const newest = await reader.read(clock, this.#stop.signal);
      if (isNewer(newest.version, version)) await writeNewer(config.dataDir, newest);
      else await forgetNewer(config.dataDir);
    } catch (error) {
      // Keeps the newer version that was found earlier.
      if (!this.#stop.signal.aborted) log.warn({ err: error }, "the feed of updates was not read");
    }
  }
}

interface Options {
  /** Address of the feed: a folder on a web server, a disk or the network. */
  feed: string;
  resourcesDir: string;
}
