import { newId } from "./new-id.ts";

/**
 * Windows of one browser share its storage. Each window has its own id, so that a stored sale
 * belongs to a single window. The id survives a reload; a duplicated tab gets a new id.
 */
const STORAGE_KEY = "tillgate.window";
const CHANNEL = "tillgate.windows";
/**
 * Time in milliseconds for a reloaded page to wait for its lock, which the previous page releases
 * late.
 */
const RELOAD_MS = 500;
/** Time in milliseconds for answers of other windows, in a browser without locks. */
const ANSWER_MS = 200;

let own: string | undefined;
const takenOver = new Set<string>();

export function windowId(): string {
  own ??= sessionStorage.getItem(STORAGE_KEY) ?? rememberOwn(newId());
  return own;
}

/** Returns whether an entry belongs to this window, or is older than window ids. */
export function isOfThisWindow(id: string | undefined): boolean {
  return id === undefined || id === windowId();
}

/**
 * Determines the id before anything is shown: a duplicated tab starts with its original's id, and
 * takes a new id.
 */
export async function settleWindow(): Promise<void> {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  if (stored === null || !(await take(stored, RELOAD_MS))) {
    await take(rememberOwn(newId()), 0);
  } else {
    own = stored;
  }
  if (!hasLocks()) {
    answerOthers();
  }
}

/**
 * Takes over the entries of a closed window.
 * @returns whether the stored sales now belong to this window
 */
export async function takePlaceOf(id: string): Promise<boolean> {
  if (!takenOver.has(id) && (await take(id, 0))) {
    takenOver.add(id);
  }
  return takenOver.has(id);
}

function rememberOwn(id: string): string {
  own = id;
  sessionStorage.setItem(STORAGE_KEY, id);
  return id;
}

/**
 * Returns whether locks exist: only on secure origins, and a till may be served over plain HTTP.
 */
function hasLocks(): boolean {
  return "locks" in navigator;
}

function take(id: string, waitMs: number): Promise<boolean> {
  return hasLocks() ? takeLock(id, waitMs) : isNobody(id);
}

/** Holds the lock while the window is open. A crash also releases the lock. */
function takeLock(id: string, waitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
  const holding = navigator.locks.request(`${STORAGE_KEY}.${id}`, options, (lock) => {
    resolve(lock !== null);
    return lock ? new Promise<void>(() => undefined) : undefined;
  });
  holding.catch(() => resolve(false));
  return promise;
}

type Message = { readonly ask: string } | { readonly here: string };

function isNobody(id: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const channel = new BroadcastChannel(CHANNEL);
  const timer = setTimeout(() => end(true), ANSWER_MS);
  function end(nobody: boolean) {
    clearTimeout(timer);
    channel.close();
    resolve(nobody);
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("here" in data && data.here === id) {
      end(false);
    }
  };
  channel.postMessage({ ask: id } satisfies Message);
  return promise;
}

function answerOthers(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ("ask" in data && (data.ask === windowId() || takenOver.has(data.ask))) {
      channel.postMessage({ here: data.ask } satisfies Message);
    }
  };
}
