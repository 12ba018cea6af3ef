import { z } from 'zod';
import { isValid, parse } from './index.js';

export const ulid = () => z.string().refine(isValid, { abort: true, error: 'not a valid ULID' }).overwrite(parse);
