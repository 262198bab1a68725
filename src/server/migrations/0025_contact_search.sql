-- What `fold` in shared/text makes of each tag, in the same order.
CREATE FUNCTION folded_tags(tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    array_agg(lower(regexp_replace(normalize(tag, NFD), '[\u0300-\u036f]', '', 'g')) ORDER BY n), '{}')
    FROM unnest(tags) WITH ORDINALITY AS t (tag, n)
$$;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "tags_folded" text[] GENERATED ALWAYS AS (folded_tags("contacts"."tags")) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "contacts_phone_searched" ON "contacts" USING gin ("phone" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_email_searched" ON "contacts" USING gin ("email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_tags" ON "contacts" USING gin ("tags_folded");--> statement-breakpoint
CREATE INDEX "contacts_by_name" ON "contacts" USING btree ("name_folded","id") WHERE "contacts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "contacts_by_category" ON "contacts" USING btree (lower("category"),"name_folded","id") WHERE "contacts"."deleted_at" is null;