import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

/**
 * Mantine's shades, lightest first, each a token of `tokens.css`, so that they follow the theme.
 */
function shades(...names: readonly string[]): MantineColorsTuple {
  return names.map((name) => `var(--${name})`) as unknown as MantineColorsTuple;
}

const accent = shades(
  "accent-soft",
  "accent-soft",
  "accent-soft",
  "accent-text",
  "accent-text",
  "accent",
  "accent",
  "accent-hover",
  "accent-press",
  "accent-press",
);

const gray = shades(
  "surface-2",
  "sunken",
  "line",
  "line",
  "line-strong",
  "ink-3",
  "ink-3",
  "ink-2",
  "ink",
  "ink",
);

const dark = shades(
  "ink",
  "ink-2",
  "ink-3",
  "line-strong",
  "line",
  "sunken",
  "surface-2",
  "surface",
  "ground",
  "ground",
);

const red = shades(
  "bad-soft",
  "bad-soft",
  "bad-line",
  "bad-line",
  "bad",
  "bad",
  "bad",
  "bad",
  "bad",
  "bad",
);

/** A destructive action is shown as red text, never filled. */
const variantColorResolver: VariantColorsResolver = (input) =>
  input.variant === "danger"
    ? {
        background: "var(--surface)",
        hover: "var(--bad-soft)",
        color: "var(--bad)",
        border: "1px solid var(--bad-line)",
      }
    : defaultVariantColorsResolver(input);

export const mantineTheme = createTheme({
  variantColorResolver,
  colors: { accent, gray, dark, red },
  primaryColor: "accent",
  primaryShade: 6,
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-code)",
  fontSizes: {
    xs: "var(--text-caption)",
    sm: "var(--text-body)",
    md: "var(--text-body)",
    lg: "var(--text-label)",
    xl: "var(--text-title)",
  },
  spacing: {
    xs: "var(--space-2)",
    sm: "var(--space-3)",
    md: "var(--space-4)",
    lg: "var(--space-5)",
    xl: "var(--space-7)",
  },
  radius: {
    xs: "var(--radius-s)",
    sm: "var(--radius-s)",
    md: "var(--radius)",
    lg: "var(--radius-l)",
    xl: "var(--radius-xl)",
  },
  defaultRadius: "md",
  shadows: {
    xs: "var(--shadow-1)",
    sm: "var(--shadow-1)",
    md: "var(--shadow-2)",
    lg: "var(--shadow-3)",
    xl: "var(--shadow-3)",
  },
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "md" } },
    TextInput: { defaultProps: { size: "md" } },
    PasswordInput: { defaultProps: { size: "md" } },
    Select: {
      defaultProps: {
        size: "md",
        allowDeselect: false,
        comboboxProps: { shadow: "md" },
        // The list itself scrolls, which assistive technology expects of a combobox.
        withScrollArea: false,
        styles: { options: { maxHeight: "14rem", overflowY: "auto" } },
      },
    },
    SegmentedControl: { defaultProps: { size: "md", withItemsBorders: false } },
    Modal: {
      defaultProps: {
        // At a fixed distance from the top: a centred dialog would move when it grows.
        yOffset: "8dvh",
        radius: "xl",
        shadow: "xl",
        transitionProps: { duration: 160, transition: "fade" },
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
  },
});
