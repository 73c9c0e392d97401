import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** Mantine's scales, bent to the tokens: warm neutrals and the one accent. */
const accent: MantineColorsTuple = [
  "#eef0fb",
  "#dfe3f7",
  "#bcc5ef",
  "#97a5e6",
  "#788adf",
  "#5b70e8",
  "#4a64e2",
  "#2a45b8",
  "#22399c",
  "#1a2d7e",
];

const stone: MantineColorsTuple = [
  "#fdfcfa",
  "#f3f1ec",
  "#ebe9e2",
  "#dedbd2",
  "#cbc7bb",
  "#a8a498",
  "#8d897e",
  "#57544c",
  "#35332d",
  "#1c1b18",
];

const night: MantineColorsTuple = [
  "#f2f0ea",
  "#b9b5aa",
  "#9c988d",
  "#7c786d",
  "#35332d",
  "#2b2a26",
  "#242320",
  "#1b1a18",
  "#131311",
  "#0e0e0c",
];

/** White is read on what is filled with it, in both themes. */
const red: MantineColorsTuple = [
  "#fbe9e6",
  "#f6d2cc",
  "#eeaba1",
  "#e4897d",
  "#ffa396",
  "#cf4a3d",
  "#b53026",
  "#a3241b",
  "#8a1d15",
  "#6f160f",
];

export const mantineTheme = createTheme({
  colors: { accent, gray: stone, dark: night, red },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 6 },
  fontFamily: "var(--font)",
  fontSizes: {
    xs: "var(--text-small)",
    sm: "var(--text-body)",
    md: "var(--text-body)",
    lg: "var(--text-large)",
    xl: "var(--text-title)",
  },
  radius: {
    xs: "var(--radius-small)",
    sm: "var(--radius-small)",
    md: "var(--radius)",
    lg: "var(--radius-large)",
    xl: "var(--radius-large)",
  },
  defaultRadius: "md",
  shadows: { md: "var(--shadow-over)", xl: "var(--shadow-over)" },
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Button: { defaultProps: { size: "md" } },
    TextInput: { defaultProps: { size: "md" } },
    PasswordInput: { defaultProps: { size: "md" } },
    Select: {
      defaultProps: { size: "md", allowDeselect: false, comboboxProps: { shadow: "md" } },
    },
    SegmentedControl: { defaultProps: { size: "md" } },
    Modal: {
      defaultProps: {
        // From a fixed edge: a dialog in the middle slides when it grows.
        yOffset: "8dvh",
        radius: "lg",
        transitionProps: { duration: 120, transition: "fade" },
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
  },
});
