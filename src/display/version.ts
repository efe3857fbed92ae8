/** Version of this build; esbuild defines the constant. */
declare const HUB_VERSION: string;

export const version: string = HUB_VERSION;
