#!/bin/sh
# Runs once before the services: makes the demo warehouse and account, the secrets that are missing, and the bucket, and gives each
# service a copy of the files that it needs, in a volume of its own. A test sets ROOT.
set -eu
umask 077
root=${ROOT-}

# Whole or not at all, also after a power cut: put TEMPORARY FILE
put() { sync "$1"; mv -f "$1" "$2"; sync "$(dirname "$2")"; }

# Makes a secret of so many random bytes where there is none: secret FILE BYTES
secret() {
  if [ ! -e "$1" ]; then
    head -c "$2" /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$1.new"
    put "$1.new" "$1"
  fi
  [ -s "$1" ] || { echo "prepare: $1 is empty. Restore it from a copy; or delete it, and what was made with it works no more" >&2; exit 1; }
}

# Copies files of /data: give SERVICE FILE...
give() {
  to=$root/give/$1
  shift
  for file in "$@"; do
    if [ -e "$root/data/$file" ]; then
      mkdir -p "$(dirname "$to/$file")"
      cp "$root/data/$file" "$to/$file.new"
      put "$to/$file.new" "$to/$file"
    else
      rm -f "$to/$file"
    fi
  done
}

mkdir -p "$root/data/secrets" "$root/data/objects/reports"
secret "$root/data/secrets/link-secret" 32
secret "$root/data/secrets/s3-access-key" 10
secret "$root/data/secrets/s3-secret-key" 20
secret "$root/data/secrets/admin-key" 24
secret "$root/data/secrets/accounts-key" 32
secret "$root/data/secrets/statement-key" 32
# Grafana has another user; nobody else mounts this folder.
secret "$root/data/grafana/password" 10
chmod 444 "$root/data/grafana/password"

java -XX:MaxRAMPercentage=50 --enable-native-access=ALL-UNNAMED -cp '/opt/millrace/app/millrace/*:/opt/millrace/app/lib/*' \
  millrace.standalone.demo.DemoDataMain --data "$root/data"

give storage secrets/s3-access-key secrets/s3-secret-key
give gateway accounts.yaml secrets/accounts-key secrets/accounts-key.other secrets/admin-key secrets/link-secret secrets/s3-access-key secrets/s3-secret-key secrets/statement-key
give processor secrets/link-secret secrets/s3-access-key secrets/s3-secret-key
give notifier accounts.yaml secrets/accounts-key secrets/accounts-key.other
