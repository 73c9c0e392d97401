import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mantineTheme } from "./mantine-theme.ts";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const [light = "", dark = ""] = css.split(
  /:root:root\[data-mantine-color-scheme="dark"\]|:root:root:lang/,
);

/** Minimum contrasts of text and of controls (WCAG 1.4.3 and 1.4.11). */
const TEXT = 4.5;
const CONTROL = 3;

const GROUNDS = ["ground", "surface", "surface-2", "sunken"];
const INKS = ["ink", "ink-2", "ink-3", "accent-text", "good", "wait", "bad"];
const READ: readonly (readonly [ink: string, ground: string])[] = [
  ...INKS.flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const)),
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-accent", "accent-press"],
  ["accent-text", "accent-soft"],
  ["good", "good-soft"],
  ["wait", "wait-soft"],
  ["bad", "bad-soft"],
  ...["accent-soft", "good-soft", "wait-soft", "bad-soft"].flatMap((ground) =>
    ["ink", "ink-2"].map((ink) => [ink, ground] as const),
  ),
  ["on-test", "test"],
  ["on-training", "training"],
];
const SEEN: readonly (readonly [control: string, ground: string])[] = [
  ...["line-strong", "focus"].flatMap((control) =>
    ["ground", "surface"].map((ground) => [control, ground] as const),
  ),
  ...[1, 2, 3, 4].map((series) => [`chart-${series}`, "surface"] as const),
];

describe.each([
  ["light", light],
  ["dark", dark],
])("tokens of the %s theme", (_name, theme) => {
  it.each(READ)("%s is readable on %s", (ink, ground) => {
    expect(contrast(tokenOf(theme, ink), tokenOf(theme, ground))).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(SEEN)("%s stands out from %s", (control, ground) => {
    expect(contrast(tokenOf(theme, control), tokenOf(theme, ground))).toBeGreaterThanOrEqual(
      CONTROL,
    );
  });
});

it("Mantine's theme points to tokens that exist", () => {
  const { colors, fontSizes, radius, shadows, spacing } = mantineTheme;
  const values = [
    ...Object.values(colors ?? {}).flat(),
    ...[fontSizes, radius, shadows, spacing].flatMap((scale) => Object.values(scale ?? {})),
  ];
  for (const value of values) {
    const name = /^var\((--[\w-]+)\)$/.exec(String(value))?.[1];
    expect(css, String(value)).toContain(`\n  ${name}: `);
  }
});

function tokenOf(theme: string, name: string): string {
  const value = new RegExp(`\\s--${name}: (#[0-9a-f]{6});`).exec(theme)?.[1];
  if (value === undefined) throw new Error(`${name} is no colour`);
  return value;
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
