#!/bin/sh
# Runs once before the services: makes the demo warehouse and account, the secrets that are missing, and the bucket.
set -eu
umask 077
secret() { [ -s "$1" ] || head -c "$2" /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$1"; }

mkdir -p /data/secrets
secret /data/secrets/link-secret 32
secret /data/secrets/s3-access-key 10
secret /data/secrets/s3-secret-key 20
secret /data/secrets/admin-key 24
secret /data/secrets/accounts-key 32
# Grafana has another user; nobody else mounts this folder.
secret /data/grafana/password 10
chmod 444 /data/grafana/password
mkdir -p /data/objects/reports

exec java -XX:MaxRAMPercentage=50 --enable-native-access=ALL-UNNAMED -cp '/opt/millrace/app/millrace/*:/opt/millrace/app/lib/*' millrace.standalone.demo.DemoDataMain --data /data
