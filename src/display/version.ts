/** The version of this build, from package.json; the build puts it in. */
declare const HUB_VERSION: string;

export const version: string = HUB_VERSION;
