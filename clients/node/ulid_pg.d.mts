export function registerUlidArrays(client: { query(text: string): PromiseLike<{ rows: any[] }> }): Promise<void>;
