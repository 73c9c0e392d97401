import classes from "./mark.module.css";

/** The mark of Tillgate, before navigations. */
export function Mark({ className = "" }: { readonly className?: string | undefined }) {
  return (
    <span className={`${classes.mark} ${className}`} aria-hidden="true">
      <svg
        viewBox="0 0 24 24"
        width="22"
        height="22"
        fill="none"
        stroke="currentColor"
        aria-hidden="true"
      >
        <path
          d="M5 20V11a7 7 0 0 1 14 0v9M9.5 20v-6.5M14.5 20v-6.5M12 20v-9"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
    </span>
  );
}
