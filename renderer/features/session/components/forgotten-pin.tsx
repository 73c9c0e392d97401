import { useTranslation } from "react-i18next";
import type { StaffName } from "../../../../server/contract/pos/staff.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./forgotten-pin.module.css";

interface ForgottenPinProps {
  readonly person: StaffName;
  readonly people: readonly StaffName[];
}

/** Who sets a new PIN for a person: an owner, another one for an owner, or else the shop's computer. */
export function ForgottenPin({ person, people }: ForgottenPinProps) {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const helpers = people.filter((one) => one.role === "owner" && one.staffId !== person.staffId);
  const names = new Intl.ListFormat(locale, { type: "disjunction" }).format(
    helpers.map(({ name }) => name),
  );
  return (
    <details className={classes.forgotten}>
      <summary className={classes.question}>{t("signIn.forgot")}</summary>
      {helpers.length > 0 ? (
        <p>{t("signIn.forgotAsk", { names })}</p>
      ) : (
        <>
          <p>{t("signIn.forgotAlone", { name: person.name })}</p>
          <bdi dir="ltr">
            <code className={classes.command}>
              npm run -s tillgate -- staff pin {person.staffId}
            </code>
          </bdi>
        </>
      )}
    </details>
  );
}
