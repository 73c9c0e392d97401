import { newId } from "./new-id.ts";

/**
 * Windows of one browser share what it stores. Each has an id of its own, so that a sale which is
 * stored belongs to one of them: kept through a reload, and another in a duplicated tab.
 */
const STORAGE_KEY = "tillgate.window";
const CHANNEL = "tillgate.windows";
/** A page that is reloaded lets its lock go a moment after the next one asks for it. */
const RELOAD_MS = 500;
/** Without locks: a window that is there answers at once. */
const ANSWER_MS = 200;

let own: string | undefined;
const takenOver = new Set<string>();

/** This window's id. */
export function windowId(): string {
  own ??= sessionStorage.getItem(STORAGE_KEY) ?? rememberOwn(newId());
  return own;
}

/** Stored by this window, or before windows had ids. */
export function isOfThisWindow(id: string | undefined): boolean {
  return id === undefined || id === windowId();
}

/**
 * Makes sure of the id before anything is shown: a duplicated tab begins with the id of the tab it
 * was copied from, and takes another.
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
 * Takes the place of a window that is gone.
 * @returns whether its stored sales are this window's now
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

/** Locks exist on secure origins only, and a till on the shop's network is served over plain HTTP. */
function hasLocks(): boolean {
  return "locks" in navigator;
}

function take(id: string, waitMs: number): Promise<boolean> {
  return hasLocks() ? takeLock(id, waitMs) : isNobody(id);
}

/** Held for as long as the window is there, so a crash lets it go, too. */
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
