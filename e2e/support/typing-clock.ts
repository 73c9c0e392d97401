import type { Page } from "@playwright/test";

/**
 * Time between two keys of a typist and of a scanner. The till distinguishes the two by this time
 * (`pace.ts`).
 */
const TYPED_MS = 80;
const SCANNED_MS = 5;
/**
 * Exceeds the time within which the till joins keys to a number or word (`SAME_NUMBER_MS`,
 * `WORD_MS`).
 */
const LOOK_MS = 1_100;

interface TypingClock {
  now_ms: number;
  step_ms: number;
}

type Keyboard = Pick<Page["keyboard"], "press" | "type">;

const keyboards = new WeakMap<Page, Keyboard>();

/**
 * Stamps a page's key events with the time of a test clock, independent of the machine's speed.
 * Each call of `keyboard.press` or `keyboard.type` starts after a pause, in which the clerk looks
 * at the screen; the characters of a call follow at a typist's interval. Call this function before
 * the page is opened.
 */
export async function useTypingClock(page: Page): Promise<void> {
  await page.addInitScript(stampKeys);
  const { keyboard } = page;
  const plain: Keyboard = {
    press: keyboard.press.bind(keyboard),
    type: keyboard.type.bind(keyboard),
  };
  keyboards.set(page, plain);
  for (const method of ["press", "type"] as const) {
    keyboard[method] = async (text, options) => {
      await setClock(page, LOOK_MS, TYPED_MS);
      await plain[method](text, options);
    };
  }
}

/** Presses a key at a typist's interval after the previous key, without a pause. */
export async function pressAtOnce(page: Page, key: string): Promise<void> {
  await setClock(page, 0, TYPED_MS);
  await (keyboards.get(page) ?? page.keyboard).press(key);
}

export async function scan(page: Page, code: string): Promise<void> {
  const { type, press } = keyboards.get(page) ?? page.keyboard;
  await setClock(page, LOOK_MS, SCANNED_MS);
  await type(code);
  await press("Enter");
}

/** Sets the clock. Does nothing while the page is loading. */
async function setClock(page: Page, look_ms: number, step_ms: number): Promise<void> {
  await page
    .evaluate(
      ([look, step]) => {
        const { typingClock: clock } = globalThis as { typingClock?: TypingClock };
        if (clock === undefined) return;
        clock.now_ms = Math.max(clock.now_ms, performance.now()) + look;
        clock.step_ms = step;
      },
      [look_ms, step_ms] as const,
    )
    .catch(() => undefined);
}

/** Runs in the page. */
function stampKeys(): void {
  const clock: TypingClock = { now_ms: 0, step_ms: 80 };
  const stamps = new WeakMap<Event, number>();
  const { get: realStamp } = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp") ?? {};
  Object.assign(globalThis, { typingClock: clock });
  Object.defineProperty(KeyboardEvent.prototype, "timeStamp", {
    get(this: KeyboardEvent) {
      if (!this.isTrusted) return realStamp?.call(this);
      let stamp = stamps.get(this);
      if (stamp === undefined) {
        if (this.type === "keydown") clock.now_ms += clock.step_ms;
        stamp = clock.now_ms;
        stamps.set(this, stamp);
      }
      return stamp;
    },
  });
  // Reads the time of every key, because each read advances the clock, and the page may not read
  // it.
  addEventListener("keydown", ({ timeStamp }) => timeStamp, { capture: true });
}
