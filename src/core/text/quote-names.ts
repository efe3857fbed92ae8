/** Puts the NAMEs of devices in JSON in quotes, before JSON.parse rounds them: a double does not hold 64 bits. */
export const quoteNames = (text: string): string => text.replace(/"name":(\d+)/g, '"name":"$1"');

/** A message whose NAMEs are the text of their digits. */
export type NamesAsText<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly NamesAsText<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: NamesAsText<Value[Key]> }
      : Value;
