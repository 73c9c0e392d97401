/** Sends a request again with the person's own PIN. */
type SendWithPin = (pin: string) => Promise<unknown>;

/** A request that the gateway refused because it asks for the person's own PIN. */
export interface AskedPin {
  readonly send: SendWithPin;
  /** The request went through, or failed for another reason than the PIN. */
  readonly settle: (outcome: Promise<unknown>) => void;
  /** Nobody typed a PIN: the refusal stands. */
  readonly cancel: () => void;
}

let asked: AskedPin | undefined;
const listeners = new Set<() => void>();

function set(next: AskedPin | undefined): void {
  asked = next;
  for (const listener of listeners) {
    listener();
  }
}

/**
 * Has the screen ask for the person's own PIN and sends the request with it.
 * @throws the refusal where nobody types one, or no screen is there to ask; what `send` threw
 */
export function sendWithOwnPin(send: SendWithPin, refusal: Error): Promise<unknown> {
  if (listeners.size === 0) {
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

export function subscribeAskedPin(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
