import type { RuleSaying } from "../../../lib/price-rule-words.ts";
import type { RuleField, RuleForm } from "../rule-form.ts";

/** Props of each part of the form: the typed rule, and the error texts of its fields. */
export interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly saying: RuleSaying;
  readonly faultOf: (field: RuleField) => string | undefined;
  readonly onChange: (form: RuleForm) => void;
}
