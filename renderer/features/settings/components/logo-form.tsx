import { Button, FileButton } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shopOperations } from "../../../../server/contract/pos/shop.ts";
import { LARGEST_LOGO, LOGO_PIXELS } from "../../../../server/contract/pos/shop-logo.ts";
import classes from "../../../components/form-page.module.css";
import { Notice } from "../../../components/notice.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { logoAddress } from "../../../lib/logo-address.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { CHOOSABLE, readPicture } from "../read-picture.ts";
import { Trouble } from "./trouble.tsx";

const SLOW_MS = 30_000;

export function LogoForm() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: status } = useQuery(statusQuery());
  const [isUnfit, setUnfit] = useState(false);
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
  const set = useMutation({
    mutationFn: (content: string) =>
      call(shopOperations.setLogo, { body: { content }, timeoutMs: SLOW_MS }),
    onSuccess,
  });
  const remove = useMutation({ mutationFn: () => call(shopOperations.removeLogo), onSuccess });
  const choose = async (file: File | null) => {
    if (file) {
      set.reset();
      const content = await readPicture(file, {
        largestBytes: LARGEST_LOGO,
        accepted: ["image/png", "image/jpeg"],
      });
      setUnfit(content === undefined);
      if (content !== undefined) {
        set.mutate(content);
      }
    }
  };
  const isRefused = set.error instanceof ApiError && set.error.errorCode === "INVALID_REQUEST";
  const logo = status?.logo;
  const limits = { least: format.number(LOGO_PIXELS.least) };
  return (
    <section className={classes.form} aria-labelledby="shop-logo">
      <h3 id="shop-logo" className="strong">
        {t("office.settings.shop.logo.title")}
      </h3>
      <p className="soft">{t("office.settings.shop.logo.hint")}</p>
      {logo ? <LogoPicture digest={logo.digest} /> : null}
      {isUnfit || isRefused ? (
        <Notice tone="bad" loud>
          {t("office.settings.shop.logo.unfit", limits)}
        </Notice>
      ) : (
        <Trouble error={set.error ?? remove.error} />
      )}
      <div className="flex wrap gap-3">
        <FileButton onChange={(file) => void choose(file)} accept={CHOOSABLE}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={set.isPending}
              leftSection={<IconPhotoUp size="1.25rem" aria-hidden="true" />}
            >
              {t("office.settings.shop.logo.choose")}
            </Button>
          )}
        </FileButton>
        {logo ? (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("office.settings.shop.logo.remove")}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function LogoPicture({ digest }: { readonly digest: string }) {
  const { t } = useTranslation();
  return (
    <img
      className={classes.logo}
      src={logoAddress(digest)}
      alt={t("office.settings.shop.logo.now")}
    />
  );
}
