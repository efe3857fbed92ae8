/** The version of this build, from package.json; tsup inserts it. */
export const version: string = process.env.HUB_VERSION ?? "0.0.0-source";

/** The time of the last change of this build's source, milliseconds since 1970; 0 if unknown. */
export const builtAt: number = Number(process.env.HUB_BUILT ?? 0) * 1000;
