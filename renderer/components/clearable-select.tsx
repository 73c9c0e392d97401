import { Select, type SelectProps } from "@mantine/core";

interface ClearableSelectProps<Value extends string>
  extends Omit<SelectProps<Value>, "clearable" | "clearButtonProps" | "label" | "placeholder"> {
  readonly label: string;
  /** Says what no choice means, for example "All". */
  readonly all: string;
}

/** A choice that can be taken back. The library hides its clear button from the keyboard. */
export function ClearableSelect<Value extends string>({
  label,
  all,
  ...props
}: ClearableSelectProps<Value>) {
  return (
    <Select
      {...props}
      label={label}
      placeholder={all}
      clearable
      clearSectionMode="clear"
      rightSectionWidth="var(--touch)"
      clearButtonProps={{
        "aria-label": `${label}: ${all}`,
        "aria-hidden": false,
        tabIndex: 0,
        size: "2.75rem",
        style: { "--cb-icon-size": "1.125rem" },
        variant: "transparent",
        // The button disappears, so the focus returns to the field.
        onClick: ({ currentTarget }) =>
          currentTarget.closest(".mantine-Input-wrapper")?.querySelector("input")?.focus(),
      }}
    />
  );
}
