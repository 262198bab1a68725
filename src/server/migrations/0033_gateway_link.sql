CREATE TABLE "first_steps" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"is_message_skipped" boolean DEFAULT false NOT NULL,
	"is_team_skipped" boolean DEFAULT false NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "linking_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "code_encrypted" text;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "code_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "code_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "closed_reason" text;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD CONSTRAINT "evolution_api_config_closed_reason" CHECK ("evolution_api_config"."closed_reason" in ('codes', 'phone', 'us', 'banned', 'replaced'));--> statement-breakpoint
-- An installation whose number was connected before has no first steps.
INSERT INTO "first_steps" ("done_at") SELECT now() WHERE EXISTS (SELECT FROM "evolution_api_config" WHERE "last_connected_at" IS NOT NULL);
