import { randomUUID } from "node:crypto";
import type {
  DisplayView,
  NumberAnswer,
  NumberAnswerInput,
  NumberAsk,
  Said,
} from "../../../contract/pos/displays.ts";
import { Problem } from "../../../contract/problem.ts";
import type { SharedMemory } from "../../../db/shared-memory.ts";
import { type Clock, DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { GuessCounter } from "../../../lib/guess-counter.ts";

/** A till sends its view every 20 s; after this long without one, nothing is shown any more. */
const SHOWN_UNHEARD_MS = 90 * SECOND;

/** The sender of a view: the browser of a till, independent of who is signed in there. */
export interface Shower {
  staffId: string;
  /** Digest of the session's token. */
  session: string;
  /** Digest of the browser's own cookie; a browser that has none yet goes by the session. */
  device: string | undefined;
}

/** What a till shows its customer. */
interface Board {
  view: DisplayView;
  /** What customers said of numbers here, by the line that each is of. */
  answers: readonly Answer[];
  shownAt: number;
  by: Shower;
}

/** Until when a board is shown, unless its till is heard of. */
function shownUntil({ shownAt }: Board): number {
  return shownAt + SHOWN_UNHEARD_MS;
}

/** A board as it is now: that of a till that is gone shows nothing to the next customer. */
function boardNow(board: Board | undefined, now: number): Board | undefined {
  return board && now >= shownUntil(board) ? emptied(board) : board;
}

/** @returns the same one where nothing is on it */
function emptied(board: Board): Board {
  const { view, answers } = board;
  const isEmpty = view.phase === "IDLE" && !view.receiptLink;
  if (isEmpty) return answers.length > 0 ? { ...board, answers: [] } : board;
  const { shopName, language, training, currency, currencyDivisor } = view;
  const shop = { shopName, language, training, currency, currencyDivisor };
  return { ...board, answers: [], view: { ...shop, phase: "IDLE", lines: [], total: 0 } };
}

function isSameTill(one: Shower, other: Shower): boolean {
  if (one.session === other.session) return true;
  return one.device !== undefined && one.device === other.device;
}

/** A sale is paid within this time of what its customer said, or the customer is asked again. */
const COUNTS_MS = 10 * MINUTE;
/** More than a sale has lines. */
const MOST_KEPT = 50;

/** What a customer said of the number of a line, which is sold once. */
interface Answer extends Omit<NumberAnswerInput, "said"> {
  readonly said: Said;
  readonly at: number;
}

/**
 * What customers said of their numbers on one display, with one answer more.
 * @param asked what is shown to the customer
 * @returns the same list where it is not new: it arrived before, or is not taken
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
  // A "no" is not taken back by a "yes".
  if (!isAsked || before?.said === "NO") return { answers, taken: false };
  const others = answers.filter((answer) => answer.transactionId !== transactionId);
  const kept = [...others, { transactionId, number, said, at }].slice(-MOST_KEPT);
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

/** A process that is gone is forgotten with its screens after this long. */
const DISPLAY_SCREENS_LASTS_MS = 30 * SECOND;
const RENEWED_MS = 10 * SECOND;

/** The screens that watch a till: those of this process, and how many there are in all. */
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

  /** How many watch a code, at any process. */
  async count(code: string): Promise<number> {
    if (!this.#memory.isShared) return this.#wakes.get(code)?.size ?? 0;
    const counts = await this.#memory.list<Count>(topicOf(code));
    return counts.reduce((sum, { value }) => sum + value.screens, 0);
  }

  /** @param wake is called when there may be something else to show */
  async add(code: string, wake: () => void): Promise<void> {
    const wakes = this.#wakes.get(code) ?? new Set();
    this.#wakes.set(code, wakes.add(wake));
    await this.#publish(code);
    this.#renewLater();
  }

  async remove(code: string, wake: () => void): Promise<void> {
    const wakes = this.#wakes.get(code);
    wakes?.delete(wake);
    if (wakes?.size === 0) this.#wakes.delete(code);
    await this.#publish(code);
  }

  /** @param code undefined for all */
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
    await this.#memory.change<Count>(topicOf(code), this.#self, step, DISPLAY_SCREENS_LASTS_MS);
  }

  #renewLater(): void {
    if (!this.#memory.isShared) return;
    this.#cancel ??= this.#clock.wakeAt(this.#clock.now() + RENEWED_MS, () => {
      this.#cancel = undefined;
      const renewed = [...this.#wakes.keys()].map((code) => this.#publish(code));
      // Where the server is away, screens are counted again once it is back.
      void Promise.allSettled(renewed).then(() => this.#wakes.size > 0 && this.#renewLater());
    });
  }
}

const BOARDS = "displays";
const LASTS_MS = 30 * DAY;
/** A till that has shown nothing for this long has another code by now, or is gone. */
const KEPT_MS = 24 * HOUR;
const MOST_DISPLAYS = 100;
/** A person works at few tills in a day; with more, their own oldest displays end. */
const MOST_DISPLAYS_OF_ONE = 8;
const MOST_WATCHERS = 8;
/** Wrong codes accepted each minute: guessing eight letters takes ages. */
const WRONG_CODES = { ofOne: 30, ofAll: 600 };
/** Where several processes show it, one may not hear of a change. */
const LOOK_INTERVAL_MS = SECOND;

/**
 * What each till shows its customer. In memory only: a till sends it again whenever it changes and
 * whenever it reconnects, so nothing is lost with it. It is shown no longer than the sign-in that
 * showed it, nor to the next customer of a till that is gone (rules#counter-customer-display).
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
   * Shows it at once on every screen with this code.
   * @returns how many there are
   * @throws Problem FORBIDDEN when another till shows something under it, RATE_LIMITED when there
   *   are too many
   */
  async show(code: string, view: DisplayView, by: Shower): Promise<number> {
    if (!(await this.#find(code))) await this.#makeRoom(by);
    await this.#change(code, (board) => {
      if (board && !isSameTill(board.by, by)) {
        throw new Problem("FORBIDDEN", "Another till shows its customer's side under this code.");
      }
      return { view, answers: board?.answers ?? [], shownAt: this.#clock.now(), by };
    });
    return this.#screens.count(code);
  }

  /** Nobody is signed in there any more: the next customer sees nothing of the last. */
  async endOf(session: string): Promise<void> {
    for (const { name, value } of await this.#memory.list<Board>(BOARDS)) {
      if (value.by.session !== session) continue;
      await this.#change(name, (board) => board && emptied(board));
    }
  }

  /**
   * Lets a screen look for a code.
   * @throws Problem RATE_LIMITED or NOT_FOUND
   */
  async admit(code: string, source: string): Promise<void> {
    await this.#guess(code, source);
    if ((await this.#screens.count(code)) >= MOST_WATCHERS) {
      throw new Problem("RATE_LIMITED", "Too many screens show this till.");
    }
  }

  /**
   * Takes what a customer says of the number that is shown, from a screen that knows the code.
   * @returns false where something else is asked by now
   * @throws Problem RATE_LIMITED or NOT_FOUND
   */
  async answer(code: string, input: NumberAnswerInput, source: string): Promise<boolean> {
    await this.#guess(code, source);
    let isTaken = false;
    await this.#change(code, (board) => {
      if (!board) return undefined;
      const { answers, taken } = addAnswer(board.answers, board.view.ask, input, this.#clock.now());
      isTaken = taken;
      return answers === board.answers ? board : { ...board, answers };
    });
    return isTaken;
  }

  /**
   * What was said of the number of a line, and how many screens ask.
   * @throws Problem FORBIDDEN where it is another till's
   */
  async answerOf(code: string, transactionId: string, by: Shower): Promise<NumberAnswer> {
    const board = await this.#find(code);
    if (!board) return { watching: 0 };
    if (!isSameTill(board.by, by)) throw new Problem("FORBIDDEN", "It is another till's display.");
    const said = findAnswer(board.answers, transactionId, this.#clock.now())?.said;
    return { ...(said && { said }), watching: await this.#screens.count(code) };
  }

  /**
   * Which lines' numbers a customer of this till confirmed a short while ago.
   * @returns whether this very number of a line is one
   */
  async findConfirmed(by: Shower): Promise<(line: Omit<NumberAnswerInput, "said">) => boolean> {
    const now = this.#clock.now();
    const all = await this.#memory.list<Board>(BOARDS);
    const own = all.filter(({ value }) => isSameTill(value.by, by));
    const answers = own.flatMap(({ value }) => boardNow(value, now)?.answers ?? []);
    return ({ transactionId, number }) => {
      const found = findAnswer(answers, transactionId, now);
      return found?.said === "YES" && found.number === number;
    };
  }

  /** What is shown under a code, now and each time it changes, until `signal` aborts. */
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
            const cancel = this.#clock.wakeAt(this.#lookAgainAt(board), resolve);
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

  /** Ends every watcher. */
  stop(): void {
    this.#stopped = true;
    this.#screens.stop();
  }

  #lookAgainAt(board: Board): number {
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
   * The guess is counted before the code is looked up, and taken back when it was right, so that a source that
   * guesses too often does not even learn of a right one.
   */
  async #guess(code: string, source: string): Promise<void> {
    if (!(await this.#guesses.take(source))) {
      throw new Problem("RATE_LIMITED", "Too many wrong codes. Try again in a minute.");
    }
    if (!(await this.#memory.read(BOARDS, code))) {
      throw new Problem("NOT_FOUND", "No till shows anything under this code.");
    }
    await this.#guesses.takeBack(source);
  }

  /** Only displays that are long gone, and one's own, make room: nobody pushes out another's. */
  async #makeRoom({ staffId }: Shower): Promise<void> {
    const oldest = this.#clock.now() - KEPT_MS;
    const all = await this.#memory.list<Board>(BOARDS);
    const [gone, kept] = split(all, ({ value }) => value.shownAt < oldest);
    const own = kept
      .filter(({ value }) => value.by.staffId === staffId)
      .sort((one, other) => one.value.shownAt - other.value.shownAt);
    const surplus = own.slice(0, Math.max(0, own.length + 1 - MOST_DISPLAYS_OF_ONE));
    for (const { name } of [...gone, ...surplus]) await this.#change(name, () => undefined);
    if (kept.length - surplus.length < MOST_DISPLAYS) return;
    throw new Problem("RATE_LIMITED", "Too many tills show their customer's side.");
  }
}

function split<Item>(all: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}

interface Count {
  screens: number;
}

function topicOf(code: string): string {
  return `screens-${code}`;
}
