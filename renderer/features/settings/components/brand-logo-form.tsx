import { Button, Checkbox, FileButton, Select } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { brandFaceOperations } from "../../../../server/contract/pos/brand-face-operations.ts";
import {
  type BrandFacts,
  LARGEST_BRAND_LOGO,
  type LeftOutPart,
} from "../../../../server/contract/pos/brand-faces.ts";
import { LOGO_PIXELS } from "../../../../server/contract/pos/shop-logo.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { Notice } from "../../../components/notice.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { readBrandLogo } from "../read-picture.ts";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";

const SLOW_MS = 30_000;
const KILOBYTE = 1024;

/** Logos of brands that the shop has the right to show, in place of what the till draws. */
export function BrandLogoForm() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(operationQuery(brandFaceOperations.list));
  const [chosen, setChosen] = useState("");
  const brands = data?.list ?? [];
  const brand = brands.find((one) => one.brand === chosen);
  return (
    <section className={classes.form} aria-labelledby="brand-logos">
      <h3 id="brand-logos" className={classes.name}>
        {t("office.settings.shop.brandLogo.title")}
      </h3>
      <p className={classes.hint}>{t("office.settings.shop.brandLogo.hint", limitsOf(format))}</p>
      <Select
        label={t("office.settings.shop.brandLogo.brand")}
        searchable
        limit={100}
        data={brands
          .map(({ brand: value, brandName: label }) => ({ value, label }))
          .toSorted((a, b) => a.label.localeCompare(b.label))}
        value={chosen}
        onChange={(value) => setChosen(value ?? "")}
      />
      {brand ? <LogoOf key={brand.brand} brand={brand} /> : null}
    </section>
  );
}

function limitsOf(format: ReturnType<typeof useFormat>) {
  return {
    size: format.number(LARGEST_BRAND_LOGO / KILOBYTE),
    least: format.number(LOGO_PIXELS.least),
    most: format.number(LOGO_PIXELS.most),
  };
}

/** What is done with the logo of a brand, and what became of it. */
function useBrandLogo(brand: string) {
  const queryClient = useQueryClient();
  const [isUnfit, setUnfit] = useState(false);
  const params = { brand };
  const onSuccess = () => invalidateAnswers(queryClient, [brandFaceOperations.list]);
  const set = useMutation({
    mutationFn: (content: string) =>
      call(brandFaceOperations.setLogo, {
        params,
        body: { content, rightConfirmed: true },
        timeoutMs: SLOW_MS,
      }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => call(brandFaceOperations.removeLogo, { params }),
    onSuccess,
  });
  const choose = async (file: File | null) => {
    if (file) {
      set.reset();
      remove.reset();
      const content = await readBrandLogo(file);
      setUnfit(content === undefined);
      if (content !== undefined) {
        set.mutate(content);
      }
    }
  };
  const isRefused = set.error instanceof ApiError && set.error.errorCode === "INVALID_REQUEST";
  // Once it is removed, nobody looks for what it was shown without.
  const leftOut = (remove.isSuccess ? undefined : set.data?.leftOut) ?? [];
  return { set, remove, choose, isUnfit: isUnfit || isRefused, leftOut };
}

/** What a logo is shown without, with the names that stand in its file. */
function LeftOut({ parts }: { readonly parts: readonly LeftOutPart[] }) {
  const { t, i18n } = useTranslation();
  const list = new Intl.ListFormat(i18n.language, { type: "unit" });
  const said = parts.map(({ kind, names }) =>
    t(`office.settings.shop.brandLogo.part.${kind}`, { names: list.format(names) }),
  );
  return (
    <Notice tone="wait" loud>
      {t("office.settings.shop.brandLogo.leftOut", { parts: list.format(said) })}
    </Notice>
  );
}

function LogoOf({ brand }: { readonly brand: BrandFacts }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isConfirmed, setConfirmed] = useState(false);
  const { set, remove, choose, isUnfit, leftOut } = useBrandLogo(brand.brand);
  return (
    <>
      <p className={classes.buttons}>
        <BrandFace
          brand={brand.brand}
          name={brand.brandName}
          color={brand.brandColor}
          facts={brand}
          size="large"
        />
      </p>
      <Checkbox
        label={t("office.settings.shop.brandLogo.right", { brand: brand.brandName })}
        checked={isConfirmed}
        onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
      />
      {isUnfit ? (
        <Notice tone="bad" loud>
          {t("office.settings.shop.brandLogo.unfit", limitsOf(format))}
        </Notice>
      ) : (
        <Trouble error={set.error ?? remove.error} />
      )}
      {leftOut.length > 0 && !isUnfit ? <LeftOut parts={leftOut} /> : null}
      <div className={classes.buttons}>
        <FileButton onChange={(file) => void choose(file)} accept="image/png,image/svg+xml">
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={!isConfirmed}
              loading={set.isPending}
              leftSection={<IconPhotoUp size="1.25rem" aria-hidden="true" />}
            >
              {t("office.settings.shop.logo.choose")}
            </Button>
          )}
        </FileButton>
        {brand.logo ? (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("office.settings.shop.logo.remove")}
          </Button>
        ) : null}
      </div>
    </>
  );
}
