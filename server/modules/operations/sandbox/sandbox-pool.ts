import { constants, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type {
  RequestDetails,
  RequestLogPage,
  SandboxRequestQuery,
} from "../../../contract/pos/request-log.ts";
import type { SandboxDeliveryQuery } from "../../../contract/pos/sandboxes.ts";
import type { WebhookDeliveryPage } from "../../../contract/pos/webhooks.ts";
import { Problem } from "../../../contract/problem.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { flushPath } from "../../../lib/write-file.ts";
import type { Base } from "../../module.ts";
import type { ClockService } from "./clock-service.ts";
import { Sandbox, type SandboxOptions, type SandboxState } from "./sandbox.ts";
import {
  type SandboxFiles,
  SandboxLogs,
  ScenarioFile,
  type StoredSandbox,
} from "./sandbox-files.ts";
import type { SandboxWallet } from "./sandbox-wallet.ts";

/** Maximum number of open sandboxes. An open sandbox has a database and an HTTP application. */
export const MAX_OPEN = 12;
/** Maximum number of open sandboxes without requests and work. Opening one takes little time. */
export const MAX_IDLE = 4;
/** Time after the last request after which a sandbox without work is closed. */
const IDLE_MS = 30 * SECOND;
const CHECK_INTERVAL_MS = 5 * SECOND;
/** Time after the last creation for which the template is kept. */
const TEMPLATE_KEPT_MS = MINUTE;
/** Time between attempts to open a broken sandbox that has unfinished work. */
const RETRY_MS = 5 * MINUTE;

/** A sandbox with its own database and HTTP application. */
export interface OpenSandbox {
  readonly clock: Pick<ClockService, "acceptTime" | "advance" | "close" | "hasWork" | "setSpeed">;
  readonly sandbox: Sandbox;
  readonly requests: {
    list(query: SandboxRequestQuery): Promise<RequestLogPage>;
    get(requestNo: number): Promise<RequestDetails>;
  };
  readonly wallet: Pick<SandboxWallet, "read" | "set">;
  listDeliveries(query: SandboxDeliveryQuery): Promise<WebhookDeliveryPage>;
  carryOut(request: IncomingMessage, response: ServerResponse): void;
  /** Creates the key, and sets the balance of the wallet in minor units unless undefined. */
  createKey(name: string, wallet: number | undefined): Promise<{ keyId: string; key: string }>;
  close(): Promise<void>;
}

interface SandboxPlace {
  dir: string;
  name: string;
  sandbox: Sandbox;
}

export type OpenBy = (place: SandboxPlace) => Promise<OpenSandbox>;

/** A named sandbox, open or closed. */
export class SandboxEntry {
  readonly name: string;
  /** Undefined if the directory cannot be read. */
  facts: StoredSandbox | undefined;
  isBroken: boolean;
  isRemoved = false;
  opened: OpenSandbox | undefined;
  opening: Promise<OpenSandbox> | undefined;
  /** True until a closing sandbox has written everything. */
  isClosing = false;
  innerKey = "";
  usedAt = 0;
  /** Time of the last failed opening. */
  failedAt = 0;
  writing: Promise<void> = Promise.resolve();
  #underWay = 0;
  #onUnused = () => {};

  constructor(name: string, facts: StoredSandbox | undefined) {
    this.name = name;
    this.facts = facts;
    this.isBroken = !facts;
  }

  /** True while a request or a command is in progress. */
  get isInUse(): boolean {
    return this.#underWay > 0;
  }

  /** Keeps the sandbox open until the returned function is called. */
  hold(now: () => number): () => void {
    this.#underWay += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#underWay -= 1;
      this.usedAt = now();
      if (!this.isInUse) this.#onUnused();
    };
  }

  whenUnused(): Promise<void> {
    if (!this.isInUse) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onUnused = resolve;
    });
  }

  describeBroken(): Problem {
    const message = `The sandbox ${this.name} cannot be opened. The gateway's log has the reason.`;
    return new Problem("SYSTEM_UNAVAILABLE", message);
  }
}

interface SandboxPoolDeps extends Pick<Base, "log" | "machineClock" | "sealer"> {
  files: SandboxFiles;
  listEntries(): readonly SandboxEntry[];
}

/**
 * Opens sandboxes on first use, and closes idle ones. Opening and closing run one after another, so
 * that they slow down the live shop as little as possible.
 */
export class SandboxPool {
  readonly #deps: SandboxPoolDeps;
  readonly #template: SandboxTemplate;
  readonly #logs: SandboxLogs;
  #openBy: OpenBy | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #checking: Promise<void> = Promise.resolve();
  #cancelCheck: (() => void) | undefined;
  #isStopped = false;

  constructor(deps: SandboxPoolDeps) {
    this.#deps = deps;
    this.#template = new SandboxTemplate(deps.files.templateDir, (dir) => this.#buildTemplate(dir));
    this.#logs = new SandboxLogs({ ...deps, inTurn: (work) => this.inTurn(work) });
  }

  serveBy(openBy: OpenBy): void {
    this.#openBy = openBy;
  }

  /** Opens the sandboxes with unfinished work, in the background. */
  start(): void {
    this.#checking = this.#check();
    this.#logs.start();
  }

  /** Opens no more sandboxes, and cancels running advances. */
  beginStop(): void {
    this.#isStopped = true;
    this.#cancelCheck?.();
    this.#logs.beginStop();
    for (const { opened } of this.#deps.listEntries()) opened?.clock.close();
  }

  async stop(): Promise<void> {
    this.beginStop();
    await this.#checking;
    await this.inTurn(async () => {
      for (const entry of this.#deps.listEntries()) await this.close(entry);
      await this.#dropTemplate(Infinity);
    });
  }

  hold(entry: SandboxEntry): () => void {
    return entry.hold(() => this.#deps.machineClock.now());
  }

  /** @throws Problem SYSTEM_UNAVAILABLE */
  open(entry: SandboxEntry): Promise<OpenSandbox> {
    entry.opening ??= this.inTurn(() => this.#openNow(entry)).finally(() => {
      entry.opening = undefined;
    });
    return entry.opening;
  }

  /** Opens an incomplete sandbox. Must be called in turn, and the caller closes the sandbox. */
  async openPart(name: string, dir: string): Promise<OpenSandbox> {
    await this.#makeRoom();
    await this.#template.copyTo(dir, this.#deps.machineClock.now());
    this.#checkLater();
    return this.#openUnstored(name, dir);
  }

  #openUnstored(name: string, dir: string): Promise<OpenSandbox> {
    const sandbox = this.#createSandbox(dir, { save: async () => undefined });
    return this.#getOpener()({ dir, name, sandbox });
  }

  async #buildTemplate(dir: string): Promise<void> {
    const opened = await this.#openUnstored("template", dir);
    await opened.close();
  }

  /** Removes a template that was last used before `time`. Must be called in turn. */
  async #dropTemplate(time: number): Promise<void> {
    await this.#template.dropUnusedSince(time).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, "the template of sandboxes cannot be removed");
    });
  }

  /** Must be called in turn. Does not close a sandbox that is in use, unless it was removed. */
  async close(entry: SandboxEntry): Promise<void> {
    const { opened } = entry;
    if (!opened) return;
    const isResumed = await opened.clock.hasWork().catch(() => true);
    // A request may have arrived in the meantime.
    if (entry.isInUse && !entry.isRemoved && !this.#isStopped) return;
    entry.opened = undefined;
    entry.isClosing = true;
    try {
      await opened.close();
      if (!entry.isRemoved) await this.#store(entry, { isResumed, state: opened.sandbox.state });
      this.#logs.limit();
    } catch (error) {
      this.#deps.log.error({ err: error, sandbox: entry.name }, "a sandbox did not close");
    } finally {
      entry.isClosing = false;
    }
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #openNow(entry: SandboxEntry): Promise<OpenSandbox> {
    if (entry.opened) return entry.opened;
    if (this.#isStopped || entry.isRemoved) {
      throw new Problem("SYSTEM_UNAVAILABLE", `The sandbox ${entry.name} is stopping.`);
    }
    const { facts } = entry;
    if (!facts) throw entry.describeBroken();
    await this.#makeRoom();
    const { log, machineClock } = this.#deps;
    try {
      entry.opened = await this.#openStored(entry, facts);
    } catch (error) {
      if (!entry.isBroken) log.error({ err: error, sandbox: entry.name }, "a sandbox did not open");
      entry.isBroken = true;
      entry.failedAt = machineClock.now();
      this.#checkLater();
      throw entry.describeBroken();
    }
    entry.isBroken = false;
    entry.usedAt = machineClock.now();
    this.#checkLater();
    return entry.opened;
  }

  async #openStored(entry: SandboxEntry, facts: StoredSandbox): Promise<OpenSandbox> {
    const { files, sealer } = this.#deps;
    const { name } = entry;
    const dir = files.dirOf(name);
    entry.innerKey = sealer.open(facts.innerKey);
    const webhookSecret = sealer.open(facts.webhookSecret);
    const save = (state: SandboxState) => this.#store(entry, { state });
    const { state, allowPrivate = false } = facts;
    const sandbox = this.#createSandbox(dir, { state, allowPrivate, save });
    sandbox.open({ keyId: facts.keyId, webhookSecret });
    await this.#store(entry, { isResumed: true });
    return this.#getOpener()({ dir, name, sandbox });
  }

  #createSandbox(dir: string, options: SandboxOptions): Sandbox {
    const { machineClock } = this.#deps;
    return new Sandbox({ machineClock, scenarioLog: new ScenarioFile(dir), ...options });
  }

  #getOpener(): OpenBy {
    if (!this.#openBy) throw new Error("the sandboxes are not served");
    return this.#openBy;
  }

  /** Writes of a sandbox run one after another. */
  #store(entry: SandboxEntry, change: Partial<StoredSandbox>): Promise<void> {
    const { files } = this.#deps;
    const write = async () => {
      if (!entry.facts) return;
      entry.facts = { ...entry.facts, ...change };
      await files.write(files.dirOf(entry.name), entry.facts);
    };
    entry.writing = entry.writing.then(write, write);
    return entry.writing;
  }

  /**
   * Closes the least recently used sandboxes until there is room for one more: first those without
   * work.
   * @throws Problem SYSTEM_UNAVAILABLE if all are in use
   */
  async #makeRoom(): Promise<void> {
    for (;;) {
      const open = this.#listOpen();
      const unused = open.filter(({ isInUse }) => !isInUse);
      const idle: SandboxEntry[] = [];
      for (const entry of unused) {
        // A sandbox with an unreadable database counts as one with work.
        if (await isIdle(entry).catch(() => false)) idle.push(entry);
      }
      if (open.length < MAX_OPEN && idle.length < MAX_IDLE) return;
      const [oldest] = (idle.length > 0 ? idle : unused).toSorted((a, b) => a.usedAt - b.usedAt);
      if (!oldest) {
        const message = "Too many sandboxes are in use. Try again shortly.";
        throw new Problem("SYSTEM_UNAVAILABLE", message);
      }
      await this.close(oldest);
    }
  }

  #listOpen(): SandboxEntry[] {
    return this.#deps.listEntries().filter(({ opened }) => opened);
  }

  #checkLater(): void {
    if (this.#cancelCheck || this.#isStopped) return;
    const { machineClock } = this.#deps;
    this.#cancelCheck = machineClock.wakeAt(machineClock.now() + CHECK_INTERVAL_MS, () => {
      this.#cancelCheck = undefined;
      this.#checking = this.#check();
    });
  }

  /** Closes an open sandbox if it is idle. An unreadable database marks the sandbox as broken. */
  async #checkOpen(entry: SandboxEntry): Promise<void> {
    const { log, machineClock } = this.#deps;
    try {
      await entry.opened?.clock.acceptTime();
      const isLong = machineClock.now() - entry.usedAt >= IDLE_MS && !entry.isInUse;
      const isUnused = isLong && (await isIdle(entry));
      entry.isBroken = false;
      if (isUnused) await this.inTurn(() => this.close(entry));
    } catch (error) {
      const { name } = entry;
      if (!entry.isBroken) log.error({ err: error, sandbox: name }, "a sandbox cannot be read");
      entry.isBroken = true;
    }
  }

  /** Closes idle sandboxes, and opens sandboxes with unfinished work while there is room. */
  async #check(): Promise<void> {
    const { machineClock, listEntries } = this.#deps;
    if (this.#template.isKept) {
      await this.inTurn(() => this.#dropTemplate(machineClock.now() - TEMPLATE_KEPT_MS));
    }
    for (const entry of this.#listOpen()) await this.#checkOpen(entry);
    for (const entry of listEntries().filter(isWaiting)) {
      if (this.#isStopped || this.#listOpen().length >= MAX_OPEN) break;
      if (entry.isBroken && machineClock.now() - entry.failedAt < RETRY_MS) continue;
      await this.open(entry).catch(() => undefined);
    }
    const isInUse = listEntries().some((entry) => entry.opened || isWaiting(entry));
    if (isInUse || this.#template.isKept) this.#checkLater();
  }
}

function isWaiting({ facts, opened }: SandboxEntry): boolean {
  return facts?.isResumed === true && !opened;
}

async function isIdle({ opened }: SandboxEntry): Promise<boolean> {
  if (opened?.sandbox.clock.speed !== 1) return false;
  return !(await opened.clock.hasWork());
}

const OWNER_ONLY = 0o700;
/** Files of a new database. */
const DATABASE_FILE = /^tillgate\.db(?!.*-shm$)/;
/** A new sandbox's first recharge and catalog are at most as old as the template. */
const MAX_AGE_MS = 10 * MINUTE;

/**
 * Keeps the database of a new sandbox in a directory while sandboxes are created. Creating each
 * database with its own migrations and catalog takes most of a second, and leaves 55 MB of garbage.
 * The system copies the files: their content in this process would let malloc keep as much memory.
 */
export class SandboxTemplate {
  readonly #dir: string;
  readonly #build: (dir: string) => Promise<void>;
  /** Undefined while there is no template. */
  #madeAt: number | undefined;
  #usedAt = 0;

  /** @param build creates a new sandbox's database in a directory, and closes it */
  constructor(dir: string, build: (dir: string) => Promise<void>) {
    this.#dir = dir;
    this.#build = build;
  }

  get isKept(): boolean {
    return this.#madeAt !== undefined;
  }

  /**
   * Copies the files of a new database to a directory. Must be called in turn.
   * @param now present time
   */
  async copyTo(dir: string, now: number): Promise<void> {
    const isFresh = this.#madeAt !== undefined && Math.abs(now - this.#madeAt) <= MAX_AGE_MS;
    if (!isFresh) await this.#make(now);
    this.#usedAt = now;
    try {
      await this.#copy(dir);
    } catch (error) {
      // The template's files may be missing.
      await this.drop();
      throw error;
    }
  }

  /** Removes a template that was last used before `time`. Must be called in turn. */
  async dropUnusedSince(time: number): Promise<void> {
    if (this.#usedAt < time) await this.drop();
  }

  /** Removes the template. Must be called in turn. */
  async drop(): Promise<void> {
    this.#madeAt = undefined;
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #make(now: number): Promise<void> {
    await this.drop();
    try {
      await this.#build(this.#dir);
    } catch (error) {
      await this.drop();
      throw error;
    }
    this.#madeAt = now;
  }

  async #copy(dir: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: OWNER_ONLY });
    const names = (await readdir(this.#dir)).filter((name) => DATABASE_FILE.test(name));
    for (const name of names) {
      await copyFile(join(this.#dir, name), join(dir, name), constants.COPYFILE_FICLONE);
      flushPath(join(dir, name));
    }
    flushPath(dir);
  }
}
