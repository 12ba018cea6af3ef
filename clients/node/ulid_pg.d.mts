import type { ClientBase, Pool } from 'pg';

export function registerUlidArrays(client: ClientBase): Promise<void>;
export function ulidArrayParser(pool: Pool): Promise<(type: number, value: unknown) => any>;
