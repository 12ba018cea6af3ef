# shellcheck shell=bash
# The packages of clients/ build, offline, and hold their files.
. ./tap.sh
# shellcheck disable=SC2154 # checkout is run's
cp -rL "$checkout/clients" packages # the links to LICENSE
cd packages || exit
pip=(/usr/bin/python3 -m pip install --quiet --no-index --no-build-isolation --no-deps)
"${pip[@]}" --target target ./django >log 2>&1 || sed 's/^/# /' log
equal "pip installs the modules" "$(cd target && echo ulid_*.py)" "ulid_django.py ulid_rest_framework.py"
equal "with the license" "$(find target -name LICENSE -exec cat {} +)" "$(cat "$checkout/LICENSE")"
cd activerecord || exit
gem build postgresql-ulid-activerecord.gemspec >log 2>&1 || sed 's/^/# /' log
equal "the gem holds the file" "$(tar -xOf ./*.gem data.tar.gz | tar -tz | grep '^lib/')" lib/ulid_active_record.rb
equal "and the license" "$(tar -xOf ./*.gem data.tar.gz | tar -xzO LICENSE)" "$(cat "$checkout/LICENSE")"
