// The entry of the script that pages load. The worker is the same file, so that it is fetched once.

import { start } from "./paste.js";
import { serve } from "./worker.js";

if (typeof document === "undefined") serve(self, import.meta.url);
else start(import.meta.url);
