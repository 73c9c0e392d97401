import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { supportOperations } from "../../../../server/contract/pos/support-operations.ts";
import { WhatIsNewList } from "../../../components/what-is-new-list.tsx";
import { call } from "../../../lib/api-client.ts";
import { whatIsNewQuery } from "../../../lib/what-is-new.ts";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";

/** Which Tillgate it is, the file for support, and licences. */
export function AboutView({ version }: { readonly version: string }) {
  const { t, i18n } = useTranslation();
  const { data: versions = [] } = useQuery(whatIsNewQuery(i18n.language));
  const file = useMutation({
    mutationFn: async () => {
      const { name, text } = await call(supportOperations.makeFile);
      const blob = new Blob([text], { type: "text/plain;charset=utf-8" });
      return { name, address: URL.createObjectURL(blob) };
    },
  });
  return (
    <>
      <p className={classes.name}>{t("office.settings.about.version", { version })}</p>
      <WhatIsNewList versions={versions} />
      <h3 className={classes.name}>{t("office.settings.about.support")}</h3>
      <p className={classes.hint}>{t("office.settings.about.supportHint")}</p>
      <Trouble error={file.error} />
      <div className={classes.buttons}>
        <Button loading={file.isPending} onClick={() => file.mutate()}>
          {t("office.settings.about.supportMake")}
        </Button>
        {file.data ? (
          <Button
            component="a"
            variant="default"
            href={file.data.address}
            download={file.data.name}
          >
            {t("office.settings.about.supportSave", { name: file.data.name })}
          </Button>
        ) : null}
      </div>
      <h3 className={classes.name}>{t("office.settings.about.licences")}</h3>
      <p className={classes.hint}>{t("office.settings.about.licencesBody")}</p>
    </>
  );
}
