export interface LaunchFacts {
  readonly hasDisplay: boolean;
  /** On Linux, Chromium has no sandbox if root runs it. No window opens without a sandbox. */
  readonly runsAsRoot: boolean;
  readonly runtimeInstalled: boolean;
  readonly fetch: FetchOutcome | "not tried";
  readonly windowCrashed: boolean;
}

/** "silent": the fetch was aborted after a timeout without progress. */
export type FetchOutcome = "fetched" | "silent" | "failed";

export type LaunchPlan =
  | { readonly run: "desktop" }
  | { readonly run: "fetch" }
  | { readonly run: "browser"; readonly why: string };

/** Plans the next step: at most one fetch, and at most one window. */
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
