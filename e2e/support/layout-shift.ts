import type { Page } from "@playwright/test";

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
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
          for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
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
