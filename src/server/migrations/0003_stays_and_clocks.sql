ALTER TABLE "conversations" ADD COLUMN "auto_close_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "claim" text;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "inactivity_from" timestamp with time zone;