ALTER TABLE "messages" ADD COLUMN "is_edit_time_exact" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "message_versions" ADD COLUMN "is_time_exact" boolean DEFAULT true NOT NULL;