import type { z } from 'zod';

/** A string that the server reads as a ULID, in the server's spelling. */
export function ulid(): z.ZodString;
