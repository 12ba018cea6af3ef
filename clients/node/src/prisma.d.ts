import type { PrismaPg } from '@prisma/adapter-pg';

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>;

/** The option of PrismaPg that reads `ulid[]`: `new PrismaPg(config, { userDefinedTypeParser: ulidArrayParser() })`. */
export function ulidArrayParser(): NonNullable<Options['userDefinedTypeParser']>;
