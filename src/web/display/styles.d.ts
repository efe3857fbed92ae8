/** Lets style sheets be imported, which esbuild bundles. */
declare module "*.css";
