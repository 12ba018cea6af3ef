/** Whether the server reads this text as a ULID: in any spelling, or a UUID. */
export function isValid(value: unknown): value is string;

/** A ULID in any spelling, or a UUID, in the server's spelling. Throws a TypeError for anything else. */
export function parse(value: unknown): string;
