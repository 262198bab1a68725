ALTER TABLE "users" ADD COLUMN "login_locked_at" timestamp with time zone;--> statement-breakpoint
-- Wrong passwords left their count; a block by an administrator did not touch it.
UPDATE "users" SET "login_locked_at" = coalesce("last_login_attempt_at", now()), "is_blocked" = false WHERE "is_blocked" AND "failed_login_attempts" >= 3;