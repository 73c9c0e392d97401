import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { joinParts } from "../../../../lib/direction.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import pickerClasses from "../../picker/tiles/picker-step.module.css";
import { OfferFace } from "../../picker/tiles/tiles.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import stepClasses from "../../ui/step.module.css";
import classes from "./held-step.module.css";
import type { Held } from "./use-held.ts";

/** Tiles of held sales. The digit of a tile resumes its basket. */
export function HeldStep({ held }: { readonly held: Held }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  return (
    <section className={stepClasses.card} aria-labelledby="held-title">
      <div className={stepClasses.head}>
        <h1 id="held-title" className="size-heading leading-120">
          {t("counter.held.title")}
        </h1>
        <LinkButton shortcut="Esc" onPress={held.close}>
          {t("counter.undo")}
        </LinkButton>
      </div>
      {held.error ? <ErrorNotice words={errorWords(held.error, t, format)} /> : null}
      {held.loading ? <Skeleton height="6.5rem" radius="md" /> : null}
      {!held.loading && held.list.length === 0 ? (
        <p className="soft">{t("counter.held.none")}</p>
      ) : null}
      <div className={`${stepClasses.tiles} ${classes.tiles}`} {...OWN_KEYS}>
        {held.tiles.map((one, index) => (
          <button
            key={one.heldSaleId}
            type="button"
            className={`${stepClasses.tile} ${pickerClasses.tile}`}
            data-focused={held.chosen === one.heldSaleId}
            onClick={() => held.resume(one)}
          >
            <OfferFace
              face={one.label}
              details={[
                ...one.lines.map(({ input, shown }) =>
                  lineTitle({ ...shown, ...(input.value && { value: input.value }) }),
                ),
                joinParts([one.staff.name, format.moment(one.heldAt)], format.locale),
              ].join(" · ")}
              price={format.money(one.total, one.currency, one.currencyDivisor)}
            />
            <KeyCap chooses>{index + 1}</KeyCap>
          </button>
        ))}
      </div>
    </section>
  );
}
