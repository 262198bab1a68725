ALTER TABLE "evolution_api_config" ADD COLUMN "looked_back_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "silent_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "restarted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "is_restart_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_recovered" ON "messages" USING btree ("created_at") WHERE "messages"."metadata" ? 'recovered';