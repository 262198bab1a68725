ALTER TABLE "evolution_api_config" DROP CONSTRAINT "evolution_api_config_status";--> statement-breakpoint
ALTER TABLE "evolution_api_config" DROP CONSTRAINT "evolution_api_config_closed_reason";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "given_id" text;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "release" text;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "release_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "keeps_ids" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD CONSTRAINT "evolution_api_config_status" CHECK ("evolution_api_config"."status" in ('open', 'connecting', 'close', 'unreachable', 'unauthorized', 'unlicensed', 'disconnected'));--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD CONSTRAINT "evolution_api_config_closed_reason" CHECK ("evolution_api_config"."closed_reason" in ('codes', 'phone', 'us', 'banned', 'replaced', 'timed_out'));