import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mantineTheme } from "./mantine-theme.ts";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const [light = "", dark = ""] = css.split('[data-mantine-color-scheme="dark"]');

/** WCAG 1.4.11: what a field is told from its ground by. */
const LEAST = 3;

describe.each([
  ["light", light],
  ["dark", dark],
])("%s: the borders of fields, and the focus", (_name, theme) => {
  it.each(["--surface", "--surface-raised", "--ground"])("stand out from %s", (ground) => {
    expect(contrast(tokenOf(theme, "--line-strong"), tokenOf(theme, ground))).toBeGreaterThan(
      LEAST,
    );
    expect(contrast(focusOf(theme), tokenOf(theme, ground))).toBeGreaterThan(LEAST);
  });
});

it("the component library has the same colours", () => {
  const { accent, gray, dark: night } = mantineTheme.colors ?? {};
  expect(accent?.[7]).toBe(tokenOf(light, "--accent"));
  expect(accent?.[6]).toBe(tokenOf(dark, "--accent"));
  for (const [theme, shades, names] of [
    [light, gray, ["--surface", "--ground", "--surface-sunken", "--line", "--ink-soft", "--ink"]],
    [dark, night, ["--ink", "--ink-soft", "--ink-faint", "--line-strong", "--line", "--surface"]],
  ] as const) {
    for (const name of names) {
      expect(shades, name).toContain(tokenOf(theme, name));
    }
  }
});

it("white is read on a red button, by day and by night", () => {
  const { red } = mantineTheme.colors ?? {};
  expect(red?.[7]).toBe(tokenOf(light, "--bad"));
  for (const shade of [6, 7] as const) {
    expect(contrast("#ffffff", red?.[shade] ?? "")).toBeGreaterThan(4.5);
  }
});

function tokenOf(theme: string, name: string): string {
  const value = new RegExp(`\\s${name}: (#[0-9a-f]{6});`).exec(theme)?.[1];
  if (value === undefined) {
    throw new Error(`${name} is no colour`);
  }
  return value;
}

function focusOf(theme: string): string {
  return theme.includes("--focus: var(--accent)")
    ? tokenOf(theme, "--accent")
    : tokenOf(theme, "--focus");
}

function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
