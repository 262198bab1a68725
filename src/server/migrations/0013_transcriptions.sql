CREATE TABLE "transcriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transcriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"is_asked" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"claim" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "transcriptions_message_id_unique" UNIQUE("message_id"),
	CONSTRAINT "transcriptions_state" CHECK ("transcriptions"."state" in ('waiting', 'running', 'done', 'failed')),
	CONSTRAINT "transcriptions_reason" CHECK ("transcriptions"."reason" in ('file', 'too_long', 'day_limit', 'off', 'changed', 'unreachable', 'bad_answer', 'refused')),
	CONSTRAINT "transcriptions_failed" CHECK (("transcriptions"."state" = 'failed') = ("transcriptions"."reason" is not null))
);
--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcription_base_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcription_model" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcription_key_encrypted" text;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcription_key_hint" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "can_transcribe" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcribes_all" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcription_max_minutes" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcription_day_minutes" integer DEFAULT 120 NOT NULL;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcribed_on" text;--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD COLUMN "transcribed_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transcriptions_todo" ON "transcriptions" USING btree ("not_before","id") WHERE "transcriptions"."state" in ('waiting', 'running');--> statement-breakpoint
ALTER TABLE "gpt_maker_config" ADD CONSTRAINT "gpt_maker_config_minutes" CHECK ("gpt_maker_config"."transcription_max_minutes" >= 1 and "gpt_maker_config"."transcription_day_minutes" >= 1);