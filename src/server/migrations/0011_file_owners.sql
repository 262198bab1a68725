DROP INDEX "files_ownerless";--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "contact_id" integer;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "is_quick_response" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_ownerless" ON "files" USING btree ("created_at") WHERE ("files"."message_id" is null and "files"."contact_id" is null and not "files"."is_quick_response") or "files"."is_passing";--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_contact_id_unique" UNIQUE("contact_id");--> statement-breakpoint
UPDATE "files" SET "contact_id" = c.id FROM "contacts" c WHERE split_part(c.avatar_url, '?v=', 2) = "files"."name";--> statement-breakpoint
UPDATE "files" SET "is_quick_response" = true
  FROM "system_settings" s, jsonb_array_elements(coalesce(s."values" -> 'quickResponses', '[]')) q
  WHERE q -> 'file' ->> 'name' = "files"."name";
