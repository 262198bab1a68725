CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "name_folded" text GENERATED ALWAYS AS (lower(regexp_replace(normalize("contacts"."name", NFD), '[\u0300-\u036f]', '', 'g'))) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "contacts_name_folded" ON "contacts" USING gin ("name_folded" gin_trgm_ops);