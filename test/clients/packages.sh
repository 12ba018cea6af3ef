# shellcheck shell=bash
# The packages of clients/ build, offline, and hold their files.
. ./tap.sh
# shellcheck disable=SC2154 # checkout is run's
cp -rL "$checkout/clients/activerecord" package # the link to LICENSE
cd package || exit
gem build postgresql-ulid-activerecord.gemspec >log 2>&1 || sed 's/^/# /' log
equal "the gem holds the file" "$(tar -xOf ./*.gem data.tar.gz | tar -tz | grep '^lib/')" lib/ulid_active_record.rb
equal "and the license" "$(tar -xOf ./*.gem data.tar.gz | tar -xzO LICENSE)" "$(cat "$checkout/LICENSE")"
