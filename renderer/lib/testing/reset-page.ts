import { QueryClient, type QueryClientConfig } from "@tanstack/react-query";
import { cleanup } from "@testing-library/react";
import i18next from "i18next";
import { vi } from "vitest";
import { clearAnnouncements } from "../announcer.ts";
import { setConnection } from "../connection-store.ts";
import { isDialogOpen } from "../open-dialogs.ts";
import { noteDisplay, showReceiptOnDisplay } from "../receipt-on-display.ts";
import { stopTyping } from "../typing-by-touch.ts";
import { getLeakTracker } from "./leaks.ts";

const clients = new Set<QueryClient>();

/**
 * Returns a query client that is cleared after the test, and that starts no garbage collection
 * timers.
 */
export function newQueryClient({ defaultOptions, ...config }: QueryClientConfig = {}): QueryClient {
  const client = new QueryClient({
    ...config,
    defaultOptions: {
      ...defaultOptions,
      queries: { gcTime: Infinity, ...defaultOptions?.queries },
      mutations: { gcTime: Infinity, ...defaultOptions?.mutations },
    },
  });
  clients.add(client);
  return client;
}

const START_ADDRESS = location.href;

/**
 * Ends the test's page and restores the state of a page that was just loaded.
 * @returns descriptions of resources created after the mark and not released
 */
export async function resetPage(mark: ReadonlySet<unknown>): Promise<readonly string[]> {
  cleanup();
  for (const client of clients) client.clear();
  clients.clear();
  clearAnnouncements();
  const leaks: string[] = [];
  if (vi.isFakeTimers()) {
    const pending = vi.getTimerCount();
    if (pending > 0) leaks.push(`${pending} pending fake timers`);
    vi.useRealTimers();
  }
  vi.restoreAllMocks();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  await runDueTimers();
  leaks.push(...getLeakTracker().takeLeaks(mark));
  if (isDialogOpen()) leaks.push("registered open dialog");

  setConnection("online");
  stopTyping();
  showReceiptOnDisplay(undefined);
  noteDisplay(false);
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", START_ADDRESS);
  for (const name of Object.getOwnPropertyNames(navigator)) {
    Reflect.deleteProperty(navigator, name);
  }
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  }
  document.title = "";
  // Also resets `lang` and `dir` of the page, which a listener of i18next sets.
  await i18next.changeLanguage("en");
  return leaks;
}

/**
 * Lets promises settle, and runs timers without a delay, which React and the test library use to
 * finish.
 */
async function runDueTimers(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
