import i18next from "i18next";
import { expect, it } from "vitest";
import { addLanguage } from "./i18n.ts";

it("one full stop follows a value that ends with a full stop", async () => {
  await addLanguage("es");
  const t = i18next.getFixedT("es");
  expect(t("recovery.made", { time: "1:03 p. m." })).toMatch(/^Hecha: 1:03 p\. m\. La hoja/);
});
