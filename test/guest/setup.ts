/** What Vitest does first in a guest: its own files are read by now, and from here on idle time counts (`idle-time.ts`). */
import { keepIdleTime } from "./idle-time.ts";

keepIdleTime();
