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

/** Something jumped by itself, on a page of a context that is followed. */
export interface LayoutShift {
  /** The score of the Layout Instability API. */
  readonly value: number;
  /** What jumped, from where to where. */
  readonly told: string;
}

/** How far, and what. */
export function describeShift({ value, told }: LayoutShift): string {
  return `${value.toFixed(5)} ${told}`;
}

/** The sum of all that jumped, before what jumped most. */
export function describeShifts(shifts: readonly LayoutShift[]): string {
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const [most] = shifts.toSorted((a, b) => b.value - a.value);
  return `${sum.toFixed(5)} ${most?.told ?? ""}`;
}

/**
 * Follows every page of a context, through all that it opens: whatever jumps without a key or a click
 * just before (Layout Instability API) is added to the list that this gives back.
 */
export async function followLayoutShifts(context: BrowserContext): Promise<readonly LayoutShift[]> {
  const shifts: LayoutShift[] = [];
  await context.exposeFunction("tellOfLayoutShift", (shift: LayoutShift) => shifts.push(shift));
  await context.addInitScript(observeLayoutShifts);
  return shifts;
}

/** In the page. */
function observeLayoutShifts(): void {
  const { tellOfLayoutShift } = globalThis as unknown as {
    tellOfLayoutShift: (shift: LayoutShift) => void;
  };
  const boxOf = (rect: DOMRectReadOnly) =>
    [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(" ");
  // What is before the customer follows the keys of the till, which count there alone; /docs is drawn by a library.
  if (location.pathname === "/display" || location.pathname.startsWith("/docs")) return;
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as ShiftEntry[]) {
      if (hadRecentInput) continue;
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

/** Longer than the browser and the till attribute a move of the page to the last key, click or size of the window. */
const INPUT_COUNTS_MS = 600;

/** Waits until whatever moves on the page moves by itself: the last input no longer accounts for it. */
export async function waitUntilInputIsOver(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() > until, since + INPUT_COUNTS_MS);
}

interface LayoutShifts {
  /** The sum of all that has jumped; 0 is nothing at all. */
  readonly sum: number;
  /** What jumped, from where to where. */
  readonly told: readonly string[];
}

/**
 * How far things have jumped since the page was loaded, apart from what followed a key or a click
 * at once (Layout Instability API), and which.
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
        // What is buffered arrives with the next frame.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve({ sum, told })));
      }),
  );
}

/** How far things have jumped since the page was loaded, in one number. */
export async function layoutShift(page: Page): Promise<number> {
  return (await layoutShifts(page)).sum;
}
