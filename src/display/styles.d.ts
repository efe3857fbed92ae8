/** Lets style sheets be imported, which esbuild bundles. */
declare module "*.css";
declare module "*/sha256.js" {
  /** Hexadecimal, lower case. */
  export function sha256Hex(text: string): string;
}
