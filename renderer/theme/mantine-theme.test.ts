import { DEFAULT_THEME, mergeMantineTheme } from "@mantine/core";
import { expect, it } from "vitest";
import { mantineTheme } from "./mantine-theme.ts";

const theme = mergeMantineTheme(DEFAULT_THEME, mantineTheme);

it("the theme shows a destructive action as red text on the surface, not filled", () => {
  const resolve = (variant: string) =>
    theme.variantColorResolver({ color: "accent", theme, variant });
  expect(resolve("danger")).toMatchObject({ background: "var(--surface)", color: "var(--bad)" });
  expect(resolve("filled").background).toContain("accent");
});
