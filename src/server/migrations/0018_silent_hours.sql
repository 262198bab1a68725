ALTER TABLE "users" ADD COLUMN "silent_hours" jsonb;--> statement-breakpoint
ALTER TABLE "work_periods" ADD COLUMN "input_at" timestamp with time zone;