ALTER TABLE "audit_logs" ADD COLUMN "instance_id" integer;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "sheets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "sheet" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "header_line" integer;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "with_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "first_lines" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "accepted_at" timestamp with time zone;