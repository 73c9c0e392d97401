import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type AlertMail, MAILED_KINDS } from "../../../../server/contract/pos/alerts.ts";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import { LANGUAGE_NAMES } from "../../../lib/i18n.ts";
import classes from "./alerts-screen.module.css";

export type Recipient = AlertMail["list"][number];

const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

interface RecipientFieldsProps {
  readonly number: number;
  readonly recipient: Recipient;
  readonly faults: { readonly address: string | undefined; readonly kinds: string | undefined };
  readonly onChange: (recipient: Recipient) => void;
  readonly onRemove: () => void;
}

/** One address: what it gets, and in which language. */
export function RecipientFields(props: RecipientFieldsProps) {
  const { number, recipient, faults, onChange, onRemove } = props;
  const { t } = useTranslation();
  const chosen = (kinds: readonly string[]) =>
    onChange({ ...recipient, kinds: MAILED_KINDS.filter((kind) => kinds.includes(kind)) });
  return (
    <fieldset className={classes.recipient}>
      <legend className={classes.small}>{t("office.alerts.mail.recipient", { number })}</legend>
      <div className={classes.fields}>
        <TextInput
          label={t("office.alerts.mail.address")}
          type="email"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={recipient.address}
          error={faults.address}
          onChange={({ currentTarget }) =>
            onChange({ ...recipient, address: currentTarget.value.trim() })
          }
        />
        <Select
          label={t("office.alerts.mail.language")}
          data={LANGUAGE_CHOICES}
          allowDeselect={false}
          value={recipient.language}
          onChange={(value) => {
            const language = LANGUAGES.find((known) => known === value);
            if (language) onChange({ ...recipient, language });
          }}
        />
      </div>
      <Checkbox.Group
        label={t("office.alerts.mail.kinds")}
        value={[...recipient.kinds]}
        error={faults.kinds}
        onChange={chosen}
      >
        <div className={classes.choices}>
          {MAILED_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              value={kind}
              label={t(`office.alerts.kind.${kind}`)}
              classNames={{ body: classes.choice ?? "" }}
            />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes.buttons}>
        <Button variant="subtle" color="red" onClick={onRemove}>
          {t("office.alerts.mail.remove", { number })}
        </Button>
      </div>
    </fieldset>
  );
}
