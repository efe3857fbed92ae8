const pluralOrder: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

function pluralOf(forms: readonly string[], value: string | number, language: string): string {
  const rules = new Intl.PluralRules(language);
  const { pluralCategories } = rules.resolvedOptions();
  const order = pluralOrder.filter((category) => pluralCategories.includes(category));
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
