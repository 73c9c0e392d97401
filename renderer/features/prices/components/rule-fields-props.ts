import type { RuleSaying } from "../../../lib/price-rule-words.ts";
import type { RuleField, RuleForm } from "../rule-form.ts";

export interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly saying: RuleSaying;
  readonly faultOf: (field: RuleField) => string | undefined;
  readonly onChange: (form: RuleForm) => void;
}
