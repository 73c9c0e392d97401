import { Listeners } from "./listeners.ts";

type SendWithPin = (pin: string) => Promise<unknown>;

export interface AskedPin {
  readonly send: SendWithPin;
  /** Called after the request succeeded, or failed for a reason other than the PIN. */
  readonly settle: (outcome: Promise<unknown>) => void;
  /** Called if no PIN was typed: the refusal is final. */
  readonly cancel: () => void;
}

let asked: AskedPin | undefined;
const listeners = new Listeners();

function set(next: AskedPin | undefined): void {
  asked = next;
  listeners.notify();
}

/**
 * Asks for the person's own PIN on the screen, and repeats the request with it.
 * @throws the refusal if no PIN is typed or no screen can ask for it; the error of `send`
 */
export function sendWithOwnPin(send: SendWithPin, refusal: Error): Promise<unknown> {
  if (!listeners.hasAny()) {
    return Promise.reject(refusal);
  }
  asked?.cancel();
  return new Promise((resolve, reject) => {
    set({
      send,
      settle: (outcome) => {
        set(undefined);
        resolve(outcome);
      },
      cancel: () => {
        set(undefined);
        reject(refusal);
      },
    });
  });
}

export function getAskedPin(): AskedPin | undefined {
  return asked;
}

export const subscribeAskedPin = listeners.subscribe;
