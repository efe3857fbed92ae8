/**
 * Imported before every schema: zod would compile its checks with `new Function`, which the Content-Security-Policy
 * forbids.
 */
import * as z from "zod";

z.config({ jitless: true });
