import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { CatalogPins } from "../../../../server/contract/pos/office-catalog.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { pinsQuery } from "../api/catalog-queries.ts";
import { useChoices } from "../use-choices.ts";
import classes from "./catalog-screen.module.css";
import { OfferName, useAmount } from "./offer-row.tsx";

/** What the counter shows first, in its order, by family. */
export function PinnedOffers({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pins = useQuery(pinsQuery(environment));
  const choices = useChoices(environment);
  const list = pins.data?.list ?? [];
  return (
    <>
      <p className={classes.hint}>{t("office.catalog.pinsHint")}</p>
      <QueryTrouble query={pins} />
      {choices.error ? <ErrorNotice words={errorWords(choices.error, t, format)} /> : null}
      {pins.data && list.length === 0 ? (
        <p className={classes.empty}>{t("office.catalog.noPins")}</p>
      ) : null}
      {FAMILIES.map((family) => {
        const of = list.filter((pin) => pin.family === family);
        return of.length > 0 ? (
          <PinnedFamily
            key={family}
            family={family}
            pins={of}
            onOrder={(offerIds) => void choices.savePins({ family, offerIds }).catch(() => {})}
          />
        ) : null;
      })}
    </>
  );
}

interface PinnedFamilyProps {
  readonly family: Family;
  readonly pins: CatalogPins["list"];
  readonly onOrder: (offerIds: string[]) => void;
}

function PinnedFamily({ family, pins, onOrder }: PinnedFamilyProps) {
  const { t } = useTranslation();
  const amount = useAmount();
  const ids = pins.map(({ offerId }) => offerId);
  const moved = (from: number, to: number) => {
    const others = ids.toSpliced(from, 1);
    return others.toSpliced(to, 0, ids[from] ?? "");
  };
  return (
    <section aria-label={t(`family.${family}.one`)} className={classes.pinned}>
      <h2 className={classes.legend}>{t(`family.${family}.one`)}</h2>
      <ol className={classes.pins}>
        {pins.map(({ offerId, offer }, index) => {
          const name = offer ? `${offer.brandName} ${amount(offer.price)}` : offerId;
          return (
            <li key={offerId} className={classes.pin}>
              {offer ? <OfferName row={offer} /> : <bdi>{offerId}</bdi>}
              <strong>{offer ? amount(offer.price) : t("office.catalog.gone")}</strong>
              <div className={classes.acts}>
                <PinAction
                  label={t("office.catalog.pinUp", { name })}
                  Icon={IconArrowUp}
                  disabled={index === 0}
                  onAct={() => onOrder(moved(index, index - 1))}
                />
                <PinAction
                  label={t("office.catalog.pinDown", { name })}
                  Icon={IconArrowDown}
                  disabled={index === pins.length - 1}
                  onAct={() => onOrder(moved(index, index + 1))}
                />
                <PinAction
                  label={t("office.catalog.unpin", { name })}
                  Icon={IconX}
                  onAct={() => onOrder(ids.filter((id) => id !== offerId))}
                />
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface PinActionProps {
  readonly label: string;
  readonly Icon: typeof IconX;
  readonly disabled?: boolean;
  readonly onAct: () => void;
}

function PinAction({ label, Icon, disabled = false, onAct }: PinActionProps) {
  return (
    <ActionIcon
      variant="subtle"
      size="var(--touch)"
      aria-label={label}
      disabled={disabled}
      onClick={onAct}
    >
      <Icon size="1.25rem" aria-hidden="true" />
    </ActionIcon>
  );
}
