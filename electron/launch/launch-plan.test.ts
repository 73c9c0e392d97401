import { expect, test } from "vitest";
import { type LaunchFacts, planLaunch } from "./launch-plan.ts";

const facts: LaunchFacts = {
  hasDisplay: true,
  runsAsRoot: false,
  runtimeInstalled: true,
  fetch: "not tried",
  windowCrashed: false,
};

test("the till gets its own window if a display and the runtime are available", () => {
  expect(planLaunch(facts)).toEqual({ run: "desktop" });
});

test("a missing runtime is fetched once, and the browser is used if the fetch fails", () => {
  const missing = { ...facts, runtimeInstalled: false };

  expect(planLaunch(missing)).toEqual({ run: "fetch" });
  expect(planLaunch({ ...facts, fetch: "fetched" })).toEqual({ run: "desktop" });
  for (const fetch of ["silent", "failed", "fetched"] as const) {
    expect(planLaunch({ ...missing, fetch })).toMatchObject({ run: "browser" });
  }
});

test("the runtime is not fetched if no window can be opened", () => {
  const missing = { ...facts, runtimeInstalled: false };

  for (const obstacle of [{ hasDisplay: false }, { runsAsRoot: true }]) {
    expect(planLaunch({ ...missing, ...obstacle })).toMatchObject({ run: "browser" });
    expect(planLaunch({ ...facts, ...obstacle })).toMatchObject({ run: "browser" });
  }
});

test("a window that crashed at its start is not opened again", () => {
  expect(planLaunch({ ...facts, windowCrashed: true })).toEqual({
    run: "browser",
    why: "The desktop window could not be opened",
  });
});
