import type { ClientBase } from 'pg';

/** Makes a client return `ulid[]` as an array: `new pg.Pool({ onConnect: registerUlidArrays })`. */
export function registerUlidArrays(client: ClientBase): Promise<void>;
