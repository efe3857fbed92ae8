/** A text with its values: "{distance} from the anchor". A name in braces without a value stays. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (braces, name: string) => String(values[name] ?? braces));
