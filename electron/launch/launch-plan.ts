/** Decides what `npm start` runs, from facts alone. */

export interface LaunchFacts {
  readonly hasDisplay: boolean;
  /** Chromium keeps no sandbox for Linux's root, and without one no window is opened. */
  readonly runsAsRoot: boolean;
  readonly runtimeInstalled: boolean;
  /** The result of fetching the runtime, once that was tried. */
  readonly fetch: FetchOutcome | "not tried";
  /** The window was opened and crashed at once. */
  readonly windowCrashed: boolean;
}

/** "silent": nothing arrived for so long that waiting on is hopeless. */
export type FetchOutcome = "fetched" | "silent" | "failed";

export type LaunchPlan =
  | { readonly run: "desktop" }
  | { readonly run: "fetch" }
  | { readonly run: "browser"; readonly why: string };

/** Asked again after each step; a fetch and a window are planned at most once each. */
export function planLaunch(facts: LaunchFacts): LaunchPlan {
  if (!facts.hasDisplay) {
    return inBrowser("There is no display here for a window");
  }
  if (facts.runsAsRoot) {
    return inBrowser("A desktop window is not opened for the root user");
  }
  if (facts.windowCrashed) {
    return inBrowser("The desktop window could not be opened");
  }
  if (facts.runtimeInstalled) {
    return { run: "desktop" };
  }
  switch (facts.fetch) {
    case "not tried":
      return { run: "fetch" };
    case "silent":
      return inBrowser("The desktop window's runtime did not arrive");
    default:
      return inBrowser("The desktop window's runtime could not be fetched");
  }
}

function inBrowser(why: string): LaunchPlan {
  return { run: "browser", why };
}
