// The error details for a text that is not a ULID.
#pragma once

#include "pg/postgres.hpp"

namespace ulid {

/// Adds the first character that is not a digit (there must be one) and its position.
inline int DetailBadCharacter(const char *text) {
    int position = 1;
    while (IsDigit(*text)) {
        ++text;
        ++position;
    }
    return errdetail("Character \"%.*s\" at position %d is not a Crockford Base32 digit.",
                     static_cast<int>(pg_mblen(text)), text, position);
}

} // namespace ulid
