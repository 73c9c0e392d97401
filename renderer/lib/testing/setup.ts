import { configure } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { LANGUAGES } from "../../../server/contract/pos/setup.ts";
import { fetchWords } from "../../locales/till-words.ts";
import { startI18n } from "../i18n.ts";
import { getLeakTracker, MediaQueryStandIn } from "./leaks.ts";
import { resetPage } from "./reset-page.ts";

// Vitest runs this file before each test file. The modules that it imports stay loaded.
const tracker = getLeakTracker();
globalThis.matchMedia ??= (query) => new MediaQueryStandIn(query) as unknown as MediaQueryList;
// Creates the title's element before the first test, so that no test leaves it behind.
document.title = "";
await Promise.all(LANGUAGES.map(fetchWords));
startI18n("en");

// An awaited state may appear late on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

let mark: ReadonlySet<unknown>;

beforeEach(() => {
  mark = tracker.mark();
});

afterEach(async () => {
  const leaks = await resetPage(mark);
  if (leaks.length > 0) {
    throw new Error(`The test left resources behind:\n${leaks.join("\n")}`);
  }
});
