import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface FormButtonsProps {
  readonly onCancel: () => void;
  readonly loading?: boolean;
  readonly disabled?: boolean;
  readonly children: string;
}

/** The buttons at the end of a dialog's form. */
export function FormButtons({ onCancel, children, ...submit }: FormButtonsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex wrap justify-end gap-3">
      <Button variant="default" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
      <Button type="submit" {...submit}>
        {children}
      </Button>
    </div>
  );
}
