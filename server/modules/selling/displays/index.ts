import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type {
  DisplayView,
  NumberAnswer,
  NumberAnswerInput,
  NumberAsk,
  Said,
} from "../../../contract/pos/displays.ts";
import { Problem } from "../../../contract/problem.ts";
import type { SharedMemory } from "../../../db/shared-memory.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle, handleStream } from "../../../http/pos-operations.ts";
import { type Clock, DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { GuessCounter } from "../../../lib/guess-counter.ts";
import type { Base, Module } from "../../module.ts";
import type { SessionService } from "../../shop/staff/index.ts";

/**
 * A display goes blank if its till sends no view for this time. The till sends a view every 20 s.
 */
const SHOWN_UNHEARD_MS = 90 * SECOND;

/** The browser of a till, independent of the signed-in person. */
interface DisplayOwner {
  staffId: string;
  session: string;
  /** Digest of the browser's own cookie. Without it, the session identifies the browser. */
  device: string | undefined;
}

interface Board {
  view: DisplayView;
  answers: readonly Answer[];
  shownAt: number;
  by: DisplayOwner;
}

function shownUntil({ shownAt }: Board): number {
  return shownAt + SHOWN_UNHEARD_MS;
}

/** Blanks the board if the till has stopped sending, so that the next customer sees nothing. */
function boardNow(board: Board | undefined, now: number): Board | undefined {
  return board && now >= shownUntil(board) ? toBlank(board) : board;
}

function toBlank(board: Board): Board {
  const { view, answers } = board;
  const isEmpty = view.phase === "IDLE" && !view.receiptLink;
  if (isEmpty) return answers.length > 0 ? { ...board, answers: [] } : board;
  const { shopName, language, training, test, currency, currencyDivisor } = view;
  const mode = { training, ...(test !== undefined && { test }) };
  const shop = { shopName, language, ...mode, currency, currencyDivisor };
  return { ...board, answers: [], view: { ...shop, phase: "IDLE", lines: [], total: 0 } };
}

function isSameTill(one: DisplayOwner, other: DisplayOwner): boolean {
  if (one.session === other.session) return true;
  return one.device !== undefined && one.device === other.device;
}

/** Validity of an answer. Later, the customer is asked again. */
const COUNTS_MS = 10 * MINUTE;
const MAX_ANSWERS = 50;

interface Answer extends Omit<NumberAnswerInput, "said"> {
  readonly said: Said;
  readonly at: number;
}

/**
 * @param asked the question on the display
 * @returns the same list if the answer is repeated or refused
 */
function addAnswer(
  answers: readonly Answer[],
  asked: NumberAsk | undefined,
  { transactionId, number, said }: NumberAnswerInput,
  at: number,
): { answers: readonly Answer[]; taken: boolean } {
  const before = findAnswer(answers, transactionId, at);
  if (before?.said === said && before.number === number) return { answers, taken: true };
  const isAsked = asked?.transactionId === transactionId && asked.number === number;
  // A "yes" does not replace a "no".
  if (!isAsked || before?.said === "NO") return { answers, taken: false };
  const others = answers.filter((answer) => answer.transactionId !== transactionId);
  const kept = [...others, { transactionId, number, said, at }].slice(-MAX_ANSWERS);
  return { answers: kept, taken: true };
}

function findAnswer(
  answers: readonly Answer[],
  transactionId: string,
  now: number,
): Answer | undefined {
  const answer = answers.find((one) => one.transactionId === transactionId);
  return answer && now - answer.at < COUNTS_MS ? answer : undefined;
}

const SCREEN_LEASE_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;

class DisplayScreens {
  readonly #memory: SharedMemory;
  readonly #clock: Clock;
  readonly #wakes = new Map<string, Set<() => void>>();
  readonly #self = randomUUID();
  #cancel: (() => void) | undefined;

  constructor(memory: SharedMemory, clock: Clock) {
    this.#memory = memory;
    this.#clock = clock;
  }

  async count(code: string): Promise<number> {
    if (!this.#memory.isShared) return this.#wakes.get(code)?.size ?? 0;
    const counts = await this.#memory.list<Count>(toTopic(code));
    return counts.reduce((sum, { value }) => sum + value.screens, 0);
  }

  async add(code: string, wake: () => void): Promise<void> {
    const wakes = this.#wakes.get(code) ?? new Set();
    this.#wakes.set(code, wakes.add(wake));
    await this.#publish(code);
    this.#scheduleRenewal();
  }

  async remove(code: string, wake: () => void): Promise<void> {
    const wakes = this.#wakes.get(code);
    wakes?.delete(wake);
    if (wakes?.size === 0) this.#wakes.delete(code);
    await this.#publish(code);
  }

  /** @param code undefined for all codes */
  wake(code?: string): void {
    const codes = code === undefined ? [...this.#wakes.keys()] : [code];
    for (const each of codes) for (const wake of this.#wakes.get(each) ?? []) wake();
  }

  stop(): void {
    this.#cancel?.();
    this.wake();
  }

  async #publish(code: string): Promise<void> {
    if (!this.#memory.isShared) return;
    const screens = this.#wakes.get(code)?.size ?? 0;
    const step = () => (screens > 0 ? { screens } : undefined);
    await this.#memory.change<Count>(toTopic(code), this.#self, step, SCREEN_LEASE_MS);
  }

  #scheduleRenewal(): void {
    if (!this.#memory.isShared) return;
    this.#cancel ??= this.#clock.wakeAt(this.#clock.now() + RENEWED_MS, () => {
      this.#cancel = undefined;
      const renewed = [...this.#wakes.keys()].map((code) => this.#publish(code));
      // Continues the renewals even if the shared memory is unreachable.
      void Promise.allSettled(renewed).then(() => this.#wakes.size > 0 && this.#scheduleRenewal());
    });
  }
}

const BOARDS = "displays";
const LASTS_MS = 30 * DAY;
/** A display without a view for this time may be deleted: its till uses another code or is gone. */
const KEPT_MS = 24 * HOUR;
const MAX_DISPLAYS = 100;
/** Beyond this number, the person's oldest displays end. */
const MAX_DISPLAYS_PER_PERSON = 8;
const MAX_WATCHERS = 8;
/** Maximum number of wrong codes per minute: too few to guess eight letters. */
const WRONG_CODES = { ofOne: 30, ofAll: 600 };
/** Interval of checks, because another process's notification of a change may be lost. */
const LOOK_INTERVAL_MS = SECOND;

/**
 * Shows a view only during the session that sent it, and while its till keeps sending
 * (rules#counter-customer-display).
 */
export class DisplayBoard {
  readonly #memory: SharedMemory;
  readonly #clock: Clock;
  readonly #screens: DisplayScreens;
  readonly #guesses: GuessCounter;
  #stopped = false;

  constructor({ memory, clock }: { memory: SharedMemory; clock: Clock }) {
    this.#memory = memory;
    this.#clock = clock;
    this.#screens = new DisplayScreens(memory, clock);
    this.#guesses = new GuessCounter(memory, "display-codes", WRONG_CODES);
    memory.onChange(BOARDS, (name) => this.#screens.wake(name));
  }

  /**
   * @returns number of screens with this code
   * @throws Problem FORBIDDEN if another till uses the code, RATE_LIMITED if there are too many
   */
  async show(code: string, view: DisplayView, by: DisplayOwner): Promise<number> {
    if (!(await this.#find(code))) await this.#makeRoom(by);
    await this.#change(code, (board) => {
      if (board && !isSameTill(board.by, by)) {
        throw new Problem("FORBIDDEN", "Another till shows its customer's side under this code.");
      }
      return { view, answers: board?.answers ?? [], shownAt: this.#clock.now(), by };
    });
    return this.#screens.count(code);
  }

  /** Blanks the session's displays, so that the next customer sees nothing of the previous one. */
  async endOf(session: string): Promise<void> {
    for (const { name, value } of await this.#memory.list<Board>(BOARDS)) {
      if (value.by.session !== session) continue;
      await this.#change(name, (board) => board && toBlank(board));
    }
  }

  /** @throws Problem RATE_LIMITED or NOT_FOUND */
  async admit(code: string, source: string): Promise<void> {
    await this.#countGuess(code, source);
    if ((await this.#screens.count(code)) >= MAX_WATCHERS) {
      throw new Problem("RATE_LIMITED", "Too many screens show this till.");
    }
  }

  /**
   * Accepts a customer's answer about the displayed number.
   * @returns false if the question has changed
   * @throws Problem RATE_LIMITED or NOT_FOUND
   */
  async answer(code: string, input: NumberAnswerInput, source: string): Promise<boolean> {
    await this.#countGuess(code, source);
    let isTaken = false;
    await this.#change(code, (board) => {
      if (!board) return undefined;
      const { answers, taken } = addAnswer(board.answers, board.view.ask, input, this.#clock.now());
      isTaken = taken;
      return answers === board.answers ? board : { ...board, answers };
    });
    return isTaken;
  }

  /** @throws Problem FORBIDDEN if the display belongs to another till */
  async getAnswer(code: string, transactionId: string, by: DisplayOwner): Promise<NumberAnswer> {
    const board = await this.#find(code);
    if (!board) return { watching: 0 };
    if (!isSameTill(board.by, by)) throw new Problem("FORBIDDEN", "It is another till's display.");
    const said = findAnswer(board.answers, transactionId, this.#clock.now())?.said;
    return { ...(said && { said }), watching: await this.#screens.count(code) };
  }

  async findConfirmed(
    by: DisplayOwner,
  ): Promise<(line: Omit<NumberAnswerInput, "said">) => boolean> {
    const now = this.#clock.now();
    const all = await this.#memory.list<Board>(BOARDS);
    const own = all.filter(({ value }) => isSameTill(value.by, by));
    const answers = own.flatMap(({ value }) => boardNow(value, now)?.answers ?? []);
    return ({ transactionId, number }) => {
      const found = findAnswer(answers, transactionId, now);
      return found?.said === "YES" && found.number === number;
    };
  }

  async *watch(code: string, signal: AbortSignal): AsyncGenerator<DisplayView> {
    let wakes = 0;
    let onWake = () => {};
    const wake = () => {
      wakes += 1;
      onWake();
    };
    await this.#screens.add(code, wake);
    signal.addEventListener("abort", wake);
    try {
      let shown = "";
      while (!signal.aborted && !this.#stopped) {
        const seen = wakes;
        const board = await this.#find(code);
        if (!board) return;
        const text = JSON.stringify([board.shownAt, board.view]);
        if (text !== shown) {
          shown = text;
          yield board.view;
        } else if (wakes === seen) {
          await new Promise<void>((resolve) => {
            const cancel = this.#clock.wakeAt(this.#getNextLook(board), resolve);
            onWake = () => {
              cancel();
              resolve();
            };
          });
        }
      }
    } finally {
      signal.removeEventListener("abort", wake);
      await this.#screens.remove(code, wake);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#screens.stop();
  }

  #getNextLook(board: Board): number {
    const now = this.#clock.now();
    const end = shownUntil(board);
    const next = end > now ? end : Number.POSITIVE_INFINITY;
    return this.#memory.isShared ? Math.min(now + LOOK_INTERVAL_MS, next) : next;
  }

  async #find(code: string): Promise<Board | undefined> {
    return boardNow(await this.#memory.read<Board>(BOARDS, code), this.#clock.now());
  }

  #change(code: string, step: (board: Board | undefined) => Board | undefined) {
    const stepNow = (board: Board | undefined) => step(boardNow(board, this.#clock.now()));
    return this.#memory.change<Board>(BOARDS, code, stepNow, LASTS_MS);
  }

  /**
   * Counts a guess before the lookup, and takes back the count of a correct code. After too many
   * guesses, a source therefore cannot detect a correct code.
   */
  async #countGuess(code: string, source: string): Promise<void> {
    if (!(await this.#guesses.take(source))) {
      throw new Problem("RATE_LIMITED", "Too many wrong codes. Try again in a minute.");
    }
    if (!(await this.#memory.read(BOARDS, code))) {
      throw new Problem("NOT_FOUND", "No till shows anything under this code.");
    }
    await this.#guesses.takeBack(source);
  }

  /** Removes old displays, but never a current display of another person. */
  async #makeRoom({ staffId }: DisplayOwner): Promise<void> {
    const oldest = this.#clock.now() - KEPT_MS;
    const all = await this.#memory.list<Board>(BOARDS);
    const [gone, kept] = split(all, ({ value }) => value.shownAt < oldest);
    const own = kept
      .filter(({ value }) => value.by.staffId === staffId)
      .sort((one, other) => one.value.shownAt - other.value.shownAt);
    const surplus = own.slice(0, Math.max(0, own.length + 1 - MAX_DISPLAYS_PER_PERSON));
    for (const { name } of [...gone, ...surplus]) await this.#change(name, () => undefined);
    if (kept.length - surplus.length < MAX_DISPLAYS) return;
    throw new Problem("RATE_LIMITED", "Too many tills show their customer's side.");
  }
}

function split<Item>(all: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

interface Count {
  screens: number;
}

function toTopic(code: string): string {
  return `screens-${code}`;
}

export function getDisplayOwner(
  { staffId, tokenHash }: SignedInActor,
  request: FastifyRequest,
): DisplayOwner {
  return { staffId, session: tokenHash, device: placeOf(request).device };
}

type DisplaysModuleDeps = Base & { sessions: SessionService };

export function createDisplaysModule({ memory, clock, log, sessions }: DisplaysModuleDeps) {
  const displays = new DisplayBoard({ memory, clock });
  sessions.onSignOut((tokenHash) =>
    displays.endOf(tokenHash).catch((error: unknown) => {
      log.warn({ err: error }, "could not blank the customer display of an ended session");
    }),
  );
  return {
    services: { displays },
    async pos(app) {
      await registerDisplayRoutes(app, displays);
      // Ends the streams first, because closing waits for all responses.
      app.addHook("preClose", async () => displays.stop());
    },
  } satisfies Module;
}

async function registerDisplayRoutes(app: App, displays: DisplayBoard): Promise<void> {
  const { displayOperations } = await import("../../../contract/pos/displays.ts");
  handle(app, displayOperations.show, async ({ actor, params, body, request }) => {
    return { watching: await displays.show(params.code, body, getDisplayOwner(actor, request)) };
  });

  handle(app, displayOperations.answer, async ({ params, body, request }) => ({
    taken: await displays.answer(params.code, body, placeOf(request).source),
  }));

  handle(app, displayOperations.getAnswer, ({ actor, params, request }) =>
    displays.getAnswer(params.code, params.transactionId, getDisplayOwner(actor, request)),
  );

  handleStream(app, displayOperations.watch, {
    admit: ({ params, request }) => displays.admit(params.code, placeOf(request).source),
    handler: async ({ params, reply }) => {
      const away = new AbortController();
      reply.sse.onClose(() => away.abort());
      await reply.sse.send(toEvents(displays.watch(params.code, away.signal)));
    },
  });
}

async function* toEvents(views: AsyncGenerator<DisplayView>) {
  for await (const data of views) yield { event: "view", data };
}
