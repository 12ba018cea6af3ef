#!/bin/bash
# The FIPS 140-2 tests of rngtest (Debian: rng-tools5 or rng-tools-debian) on the randomness of
# gen_random_ulid(): 1 GB of it, from a server that the PG* variables name and that has the extension.
# Takes two or three minutes.
#
#   test/bench/randomness.sh [BYTES]
#
# Of true randomness, about 8 blocks in 10000 (of 20000 bits each) fail. More than 10 in 10000 fail here.
set -euo pipefail
bytes=${1:-1000000000}

# A row: the number of columns, the length of the value, the value: 10 bytes after 6. Before the first
# row are 19 bytes, after the last one 2.
psql -X -c "COPY (SELECT ulid_randomness(gen_random_ulid()) FROM
        (SELECT generate_series(1, $(((bytes + 9) / 10)))) AS calls) TO STDOUT (FORMAT binary)" |
    perl -e 'binmode STDIN; binmode STDOUT; read STDIN, my $header, 19;
        while (my $length = read STDIN, my $rows, 16 * 65536) {
            print unpack "(x6a10)*", substr $rows, 0, $length - $length % 16;
        }' |
    { rngtest 2>&1 || true; } | tee /dev/stderr |
    awk '/FIPS 140-2 successes/ { good = $NF } /FIPS 140-2 failures/ { bad = $NF }
        END { rate = bad / (good + bad); printf "%d of %d blocks fail: %.5f\n", bad, good + bad, rate
            exit !(good + bad >= '"$bytes"' * 8 / 20000 - 2 && rate < 0.001) }'
