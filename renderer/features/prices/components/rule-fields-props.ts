import type { RuleSaying } from "../../../lib/price-rule-words.ts";
import type { RuleField, RuleForm } from "../rule-form.ts";

/** What a part of the form is given: the rule as typed, and the words for what is wrong with a field. */
export interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly saying: RuleSaying;
  readonly faultOf: (field: RuleField) => string | undefined;
  readonly onChange: (form: RuleForm) => void;
}
