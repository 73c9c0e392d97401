import classes from "./view-tabs.module.css";

interface ViewTabsProps<View extends string> {
  readonly label: string;
  readonly views: readonly { readonly value: View; readonly label: string }[];
  readonly view: View | undefined;
  readonly onView: (view: View) => void;
}

export function ViewTabs<View extends string>({ label, views, view, onView }: ViewTabsProps<View>) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {views.map((one) => (
        <button
          key={one.value}
          type="button"
          className={classes.tab}
          aria-current={one.value === view ? "page" : undefined}
          onClick={() => onView(one.value)}
        >
          {one.label}
        </button>
      ))}
    </nav>
  );
}
