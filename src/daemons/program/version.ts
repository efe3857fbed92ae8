/** The version of this build; tsup writes it in from package.json. */
export const version: string = process.env.HUB_VERSION ?? "0.0.0-source";

/** When this build's source was last changed, milliseconds since 1970; 0 if unknown. */
export const builtAt: number = Number(process.env.HUB_BUILT ?? 0) * 1000;
