CREATE TABLE "assistant_turns" (
	"conversation_id" integer PRIMARY KEY NOT NULL,
	"answered_message_id" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"claim" integer DEFAULT 0 NOT NULL,
	"is_off" boolean DEFAULT false NOT NULL,
	"ended" text,
	CONSTRAINT "assistant_turns_ended" CHECK ("assistant_turns"."ended" in ('asked_person', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "gpt_maker_config" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"agent_id" text DEFAULT '' NOT NULL,
	"agent_name" text DEFAULT '' NOT NULL,
	"api_token_encrypted" text,
	"api_token_hint" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT false NOT NULL,
	"auto_response" boolean DEFAULT false NOT NULL,
	"auto_response_delay" integer DEFAULT 2000 NOT NULL,
	"fallback_to_human" boolean DEFAULT true NOT NULL,
	"max_retries" integer DEFAULT 3 NOT NULL,
	"answers_since" timestamp with time zone,
	"help_base_url" text DEFAULT '' NOT NULL,
	"help_model" text DEFAULT '' NOT NULL,
	"help_key_encrypted" text,
	"help_key_hint" text DEFAULT '' NOT NULL,
	"can_summarize" boolean DEFAULT false NOT NULL,
	"can_suggest" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "gpt_maker_config_single" CHECK ("gpt_maker_config"."id" = 1),
	CONSTRAINT "gpt_maker_config_delay" CHECK ("gpt_maker_config"."auto_response_delay" >= 0),
	CONSTRAINT "gpt_maker_config_retries" CHECK ("gpt_maker_config"."max_retries" >= 1)
);
--> statement-breakpoint
ALTER TABLE "assistant_turns" ADD CONSTRAINT "assistant_turns_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;