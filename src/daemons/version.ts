/** The version of this build; tsup writes it in from package.json. */
export const version: string = process.env.HUB_VERSION ?? "0.0.0-source";
