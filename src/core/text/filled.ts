const pluralOrder: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

interface Plurals {
  readonly rules: Intl.PluralRules;
  /** Its categories in their order. */
  readonly order: readonly Intl.LDMLPluralRule[];
}

/** By language: V8 takes longer to make the rules than to fill a text. */
const known = new Map<string, Plurals>();

function pluralsOf(language: string): Plurals {
  const before = known.get(language);
  if (before !== undefined) return before;
  const rules = new Intl.PluralRules(language);
  const { pluralCategories } = rules.resolvedOptions();
  const plurals = { rules, order: pluralOrder.filter((category) => pluralCategories.includes(category)) };
  known.set(language, plurals);
  return plurals;
}

function pluralOf(forms: readonly string[], value: string | number, language: string): string {
  const { rules, order } = pluralsOf(language);
  return forms[order.indexOf(rules.select(Number(value)))] ?? forms.at(-1)!;
}

/**
 * A text with its values: "{distance} from the anchor". A name in braces without a value stays. Forms of words by a
 * number stand behind its name, in the order of the language's plurals: "{count} device{count:|s}".
 */
export const filled = (text: string, values: Readonly<Record<string, string | number>>, language = "en"): string =>
  text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (braces, name: string, forms?: string) => {
    const value = values[name];
    if (value === undefined) return braces;
    return forms === undefined ? String(value) : pluralOf(forms.split("|"), value, language);
  });
