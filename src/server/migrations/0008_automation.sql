CREATE TABLE "pre_attendance_temp" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pre_attendance_temp_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"instance_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"conversation_id" integer NOT NULL,
	"phone_number" text,
	"contact_name" text NOT NULL,
	"original_message" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"stage" text DEFAULT 'waiting_option' NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"last_message_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "pre_attendance_temp_conversation_id_unique" UNIQUE("conversation_id"),
	CONSTRAINT "pre_attendance_temp_stage" CHECK ("pre_attendance_temp"."stage" in ('waiting_option', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"lease_until" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "inactivity_warned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "rating_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "queue_pending_conversations" ADD COLUMN "told_position" integer;--> statement-breakpoint
ALTER TABLE "queue_pending_conversations" ADD COLUMN "told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "evolution_api_config" ADD COLUMN "troubled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pre_attendance_temp" ADD CONSTRAINT "pre_attendance_temp_instance_id_evolution_api_config_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."evolution_api_config"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_attendance_temp" ADD CONSTRAINT "pre_attendance_temp_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pre_attendance_temp" ADD CONSTRAINT "pre_attendance_temp_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pre_attendance_temp_waiting" ON "pre_attendance_temp" USING btree ("contact_id","instance_id") WHERE "pre_attendance_temp"."stage" = 'waiting_option';--> statement-breakpoint
CREATE INDEX "pre_attendance_temp_created" ON "pre_attendance_temp" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "conversations_rating_asked" ON "conversations" USING btree ("contact_id") WHERE "conversations"."rating_asked_at" is not null;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_pre_attendance_stage" CHECK ("conversations"."pre_attendance_stage" in ('waiting_option', 'cancelled', 'attended'));