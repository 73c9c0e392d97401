import type { BrowserContext, Page } from "@playwright/test";

interface ShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

export interface LayoutShift {
  readonly value: number;
  /** Moved elements, with their old and new positions. */
  readonly told: string;
}

export function describeShift({ value, told }: LayoutShift): string {
  return `${value.toFixed(5)} ${told}`;
}

export function describeShifts(shifts: readonly LayoutShift[]): string {
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const [most] = shifts.toSorted((a, b) => b.value - a.value);
  return `${sum.toFixed(5)} ${most?.told ?? ""}`;
}

/**
 * Records layout shifts (Layout Instability API) on all present and later pages of a context,
 * except shifts that a key, click or input caused. It counts until its requests are answered and the
 * answers are painted, however long that takes. A server event after a change of this page
 * reports the change, and counts as its answer.
 * @returns a list that grows with each shift
 */
export async function followLayoutShifts(context: BrowserContext): Promise<readonly LayoutShift[]> {
  const shifts: LayoutShift[] = [];
  await context.exposeFunction("tellOfLayoutShift", (shift: LayoutShift) => shifts.push(shift));
  await context.addInitScript(observeLayoutShifts);
  return shifts;
}

/** Runs in the page. */
function observeLayoutShifts(): void {
  const { tellOfLayoutShift } = globalThis as unknown as {
    tellOfLayoutShift: (shift: LayoutShift) => void;
  };
  const boxOf = (rect: DOMRectReadOnly) =>
    [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
  /** Number of frames without an open request or a busy button after which the answers are painted. */
  const framesToPaint = 4;
  /** Periods in which the page answers a key or click; the last may be open. */
  const answering: { since: number; until: number }[] = [];
  /** Time after a changing request in which the events that report its change arrive. */
  const eventsArriveMs = 5_000;
  let requests = 0;
  let quietFrames = 0;
  let changedAt = Number.NEGATIVE_INFINITY;
  const send = globalThis.fetch;
  globalThis.fetch = (...request) => {
    requests += 1;
    const isChange = (request[1]?.method ?? "GET") !== "GET";
    const end = () => {
      requests -= 1;
      if (isChange) changedAt = performance.now();
    };
    const answer = send(...request);
    // The page can use the answer only when its body has arrived.
    answer.then((response) => response.clone().arrayBuffer()).then(end, end);
    return answer;
  };
  const waitUntilPainted = () => {
    const last = answering.at(-1);
    const isWorking = requests > 0 || document.querySelector("button[aria-busy=true]") !== null;
    quietFrames = isWorking ? 0 : quietFrames + 1;
    if (quietFrames < framesToPaint) requestAnimationFrame(waitUntilPainted);
    else if (last) last.until = performance.now();
  };
  const begin = ({ timeStamp }: Event) => {
    quietFrames = 0;
    if (answering.at(-1)?.until === Number.POSITIVE_INFINITY) return;
    answering.push({ since: timeStamp, until: Number.POSITIVE_INFINITY });
    requestAnimationFrame(waitUntilPainted);
  };
  const beginAfterChange = (event: Event) => {
    if (performance.now() - changedAt < eventsArriveMs) begin(event);
  };
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind: string, ...rest: unknown[]) {
    listen.call(this, kind, beginAfterChange);
    listen.call(this, kind, ...(rest as [EventListener]));
  };
  for (const kind of ["keydown", "pointerdown", "click", "input"]) {
    addEventListener(kind, begin, true);
  }
  const isAnswer = (at: number) => answering.some(({ since, until }) => since <= at && at <= until);
  // Ignores the customer display, which changes after keys of the till, and /docs/api, whose library
  // moves its content.
  if (location.pathname === "/display" || location.pathname.startsWith("/docs/api")) return;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as ShiftEntry[]) {
      const { value, hadRecentInput, startTime, sources } = entry;
      if (hadRecentInput || isAnswer(startTime)) continue;
      const told = sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const text = element?.textContent?.slice(0, 40) ?? "";
        return `<${element?.className}> "${text}" ${boxOf(previousRect)} → ${boxOf(currentRect)}`;
      });
      tellOfLayoutShift({ value, told: `${location.hash} ${told.join("; ")}` });
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
}

/**
 * Exceeds the time for which browser and till attribute a shift to the last key, click or resize.
 */
const INPUT_COUNTS_MS = 600;

export async function waitUntilInputIsOver(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() > until, since + INPUT_COUNTS_MS);
}

interface LayoutShifts {
  readonly sum: number;
  readonly told: readonly string[];
}

/**
 * Returns the shifts since the page was loaded (Layout Instability API), except shifts right after
 * a key or click.
 */
export async function layoutShifts(page: Page): Promise<LayoutShifts> {
  return page.evaluate(
    () =>
      new Promise<LayoutShifts>((resolve) => {
        let sum = 0;
        const told: string[] = [];
        const observer = new PerformanceObserver((list) => {
          for (const { value, hadRecentInput, sources } of list.getEntries() as ShiftEntry[]) {
            if (hadRecentInput) continue;
            sum += value;
            for (const { node, previousRect, currentRect } of sources) {
              const element = node instanceof Element ? node : node?.parentElement;
              const text = element?.textContent?.slice(0, 30) ?? "";
              const [from, to] = [previousRect, currentRect].map((rect) =>
                [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" "),
              );
              told.push(`${value.toFixed(4)} <${element?.className}> "${text}" ${from} → ${to}`);
            }
          }
        });
        observer.observe({ type: "layout-shift", buffered: true });
        // Buffered entries arrive with the next frame.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ sum, told })));
      }),
  );
}

export async function layoutShift(page: Page): Promise<number> {
  return (await layoutShifts(page)).sum;
}
