import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "../../../components/form-page.module.css";
import { Notice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";

interface ShownOnceProps {
  readonly secret: string;
  readonly words: string;
}

export function ShownOnce({ secret, words }: ShownOnceProps) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    // Without access to the clipboard, the secret is selected for copying.
    const isDone = await navigator.clipboard?.writeText(secret).then(
      () => true,
      () => false,
    );
    if (isDone) {
      setCopied(true);
      announce(t("office.settings.copied"));
    }
  }

  return (
    <Notice tone="wait" loud>
      <div className="stack items-start gap-3">
        <p>{words}</p>
        <code className={classes.secret} dir="ltr" data-secret>
          {secret}
        </code>
        <Button
          variant="default"
          leftSection={<IconCopy size="1.25rem" aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {t(isCopied ? "office.settings.copied" : "office.settings.copy")}
        </Button>
      </div>
    </Notice>
  );
}
