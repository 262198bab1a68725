#!/bin/sh
# Run once by the PostgreSQL image, on an empty volume: an ordinary role that owns its database.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$BALCAO_DB_PASSWORD" <<'SQL'
CREATE ROLE balcao LOGIN PASSWORD :'password';
CREATE DATABASE balcao OWNER balcao ENCODING 'UTF8' TEMPLATE template0;
SQL
