/** Style sheets are imported for esbuild, which collects them. */
declare module "*.css";
