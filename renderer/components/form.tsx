import { Button } from "@mantine/core";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { Notice, Trouble } from "./notice.tsx";

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  readonly onSubmit: () => void;
}

/** A form whose fields show their own errors. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      noValidate
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

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

interface FormEndProps {
  readonly save: {
    readonly error: Error | null;
    readonly isSuccess: boolean;
    readonly isPending: boolean;
  };
  /** Error that no field shows; by default the error of the save. */
  readonly error?: Error | null;
  /** Shown after a save. */
  readonly saved?: string;
  readonly disabled?: boolean;
  readonly children: string;
}

/** The end of a page's form: the outcome of its save, and its button. */
export function FormEnd({
  save,
  error = save.error,
  saved,
  disabled = false,
  children,
}: FormEndProps) {
  return (
    <>
      <Trouble error={error} />
      {saved && save.isSuccess ? <Notice tone="info">{saved}</Notice> : null}
      <div className="flex justify-end gap-3">
        <Button type="submit" loading={save.isPending} disabled={disabled}>
          {children}
        </Button>
      </div>
    </>
  );
}
