# shellcheck shell=bash
# The packages of clients/: each builds, offline, and holds what the page shows.
set -u
. ./tap.sh
cp -r "$PAGES/../../clients" packages
for file in packages/django/ulid_django.py packages/django/ulid_rest_framework.py packages/activerecord/lib/ulid_active_record.rb; do
    equal "${file##*/} is what the page shows" "$(diff "$file" "${file##*/}")" ""
done
cd packages/django || exit
/usr/bin/python3 -c 'from setuptools import build_meta; build_meta.build_wheel(".")' >log 2>&1 || sed 's/^/# /' log
equal "the wheel holds the modules" \
    "$(/usr/bin/python3 -m zipfile -l ./*.whl | sed -n 's/^\(ulid_.*\.py\) .*/\1/p' | xargs)" "ulid_django.py ulid_rest_framework.py"
# The line of its README, where a package index cannot be reached.
install=$(sed -n 's|^pip install \(\./clients/django\)$|\1|p' README.md)
/usr/bin/python3 -m pip install --quiet --no-index --no-build-isolation --no-deps --target target ".${install#./clients/django}" >log 2>&1 || sed 's/^/# /' log
equal "pip installs it from the checkout" "$install $(cd target && echo ulid_*.py)" "./clients/django ulid_django.py ulid_rest_framework.py"
cd ../activerecord || exit
gem build postgresql-ulid-activerecord.gemspec >log 2>&1 || sed 's/^/# /' log
equal "the gem holds the file" "$(tar -xOf ./*.gem data.tar.gz | tar -tz | grep '^lib/')" lib/ulid_active_record.rb
echo "1..$count"
