/** Puts the NAMEs of devices in JSON in quotes, before JSON.parse rounds them: a double does not hold 64 bits. */
export const quoteNames = (text: string): string => text.replace(/"name":(\d+)/g, '"name":"$1"');
